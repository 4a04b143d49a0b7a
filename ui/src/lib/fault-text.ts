import { useTranslation } from "react-i18next";
import type { TextFault } from "@/bindings/app";

/** Why a text or a file is not read, in the language of the window; with its place where JSON is broken. */
export function useFaultText(): (fault: TextFault) => string {
  const { t, i18n } = useTranslation("templates");
  return ({ code, line, column, message }) => {
    const key = `rules.${code}`;
    const isKnown = i18n.exists(key, { ns: "findings" });
    const words = isKnown ? t(key as "fix", { ns: "findings" }) : message;
    // What is wrong inside of a template is named by its fields.
    const whole = isKnown && code === "read.shape" ? `${words} (${message})` : words;
    return code === "read.json" ? t("import.fault", { line, column, message: whole, nest: false }) : whole;
  };
}
