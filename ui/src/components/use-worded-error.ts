import { useTranslation } from "react-i18next";
import type { DeskError } from "@/bindings/app";
import { useProblemText } from "@/components/send-problem-text";
import { dateFormat } from "@/lib/formats";

/** The error with its sentence in the language of the window, where the host names what is wrong by a code. */
export function useWordedError(): <T extends DeskError | null | undefined>(error: T) => T {
  const { t, i18n } = useTranslation("errors");
  const problemText = useProblemText();
  return (error) => {
    if (error?.code === "conflict" && error.fault) {
      const { fault } = error;
      const format = dateFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" });
      const until = fault.kind === "heldBack" ? format.format(new Date(fault.until)) : "";
      return { ...error, message: t(`conflict.fault.${fault.kind}`, { ...fault, until, nest: false }) };
    }
    if (error?.code !== "invalidInput") return error;
    const { field, message, problem, values = {}, fault } = error;
    if (fault) return { ...error, message: t(`invalidInput.fault.${fault.kind}`, { ...fault, nest: false }) };
    if (!problem) return error;
    return { ...error, message: problemText({ field, code: problem, severity: "error", values, message }) };
  };
}
