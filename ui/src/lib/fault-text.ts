import { useTranslation } from "react-i18next";
import type { TextFault } from "@/bindings/app";

/**
 * Why a text or a file is not read, in the language of the window; with its place where JSON is broken. Only a text can be
 * corrected in the window.
 */
export function useFaultText(): (fault: TextFault, source: "text" | "file") => string {
  const { t, i18n } = useTranslation("templates");
  return ({ code, line, column, message }, source) => {
    if (code === "read.json" && source === "file") {
      return t("import.fault", { line, column, message: t("import.fileFault"), nest: false });
    }
    const key = `rules.${code}`;
    const isKnown = i18n.exists(key, { ns: "findings" });
    const words = isKnown ? t(key as "fix", { ns: "findings" }) : message;
    // What is wrong inside of a template is named by its fields.
    const whole = isKnown && code === "read.shape" ? `${words} (${message})` : words;
    return code === "read.json" ? t("import.fault", { line, column, message: whole, nest: false }) : whole;
  };
}
