import { useTranslation } from "react-i18next";
import { exactTime } from "@/components/instant";
import { dateFormat, numberFormat } from "@/lib/formats";
import { readProviderDate } from "@/lib/provider-date";

/** Whether a fact is a messaging limit as a number of people. */
export function isPeople({ label, value }: { label: string; value: string }): boolean {
  return (label === "limit" || label === "previousLimit") && /^\d+$/.test(value);
}

/** A fact of an event, with its label, in the language of the window; words of the channel that are not known as they came. */
export function useFactText(): (fact: { label: string; value: string }) => { label: string; value: string } {
  const { t, i18n } = useTranslation("activity");
  const text = (key: string, other: string) =>
    i18n.exists(key, { ns: "activity" }) ? t(key as "fact.person", { nest: false }) : other;
  const shown = (label: string, value: string) => {
    if (label.endsWith("At") && /^\d+$/.test(value)) return exactTime(Number(value), i18n.language);
    if (isPeople({ label, value })) {
      return t("peopleADay", { people: numberFormat(i18n.language, {}).format(Number(value)) });
    }
    const date = label === "date" || label === "until" ? readProviderDate(value) : undefined;
    if (date !== undefined) return dateFormat(i18n.language, { dateStyle: "long" }).format(date);
    return text(`word.${value}`, value);
  };
  return ({ label, value }) => ({ label: text(`fact.${label}`, label), value: shown(label, value) });
}
