import { useTranslation } from "react-i18next";

/** What stands before the decimals of a number in the language of the window. */
export function useDecimalSeparator(): string {
  const { i18n } = useTranslation();
  const parts = new Intl.NumberFormat(i18n.language).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
