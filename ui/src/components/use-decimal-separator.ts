import { useTranslation } from "react-i18next";

/** The decimal separator of the window's language. */
export function useDecimalSeparator(): string {
  const { i18n } = useTranslation();
  const parts = new Intl.NumberFormat(i18n.language).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}
