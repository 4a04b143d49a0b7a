import { useTranslation } from "react-i18next";
import { displayNames } from "./formats";

/** The name of a template language, such as “Portuguese (Brazil)” for `pt_BR`; the code where it has none. */
export function useLanguageName(): (code: string) => string {
  const { i18n } = useTranslation();
  return (code) => languageName(code, i18n.language);
}

export function languageName(code: string, locale: string): string {
  try {
    const names = displayNames(locale, { type: "language", languageDisplay: "standard", fallback: "none" });
    const name = names.of(code.replaceAll("_", "-"));
    return name === undefined ? code : name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    // Not a language tag: the code is open, and empty in a new draft.
    return code;
  }
}
