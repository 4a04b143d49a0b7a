// Problems of a send in words.

import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { SendProblem } from "@/bindings/model";
import { useCategoryText, useStatusText } from "@/components/status-badge";
import { byteSize } from "@/lib/bytes";
import { numberWithCountry } from "@/lib/country-name";
import { dateFormat } from "@/lib/formats";

/** The sentence of a problem in the language of the window. */
export function useProblemText(): (problem: SendProblem) => string {
  const { t, i18n } = useTranslation("sendProblems");
  const { t: words } = useTranslation("sends");
  const status = useStatusText();
  const category = useCategoryText();
  return ({ code, values, message }) => {
    if (!i18n.exists(code, { ns: "sendProblems" })) return message;
    if (code === "value.missing" && values.column !== undefined) {
      return t("value.emptyColumn", { column: values.column, nest: false });
    }
    const isLimited = code === "to.optedOut" && values.limited === "true";
    const word = (group: string, name: string | undefined, otherwise = name ?? "") =>
      name !== undefined && i18n.exists(`${group}.${name}`, { ns: "sends" })
        ? words(`${group}.${name}` as "numberKind.fixedLine", { ...values, nest: false })
        : otherwise;
    const size = (bytes: string | undefined) => (bytes === undefined ? "" : byteSize(Number(bytes), i18n.language));
    return t(isLimited ? "to.optedOutFor" : code, {
      ...values,
      // The fault of a number or a link is a word of its own where the host tells it; else its English sentence.
      ...(values.formatted === undefined ? {} : { reading: readingText(values, i18n.language, words) }),
      ...(values.reason === undefined ? {} : { reason: word("numberFault", values.fault, values.reason) }),
      ...(values.detail === undefined ? {} : { detail: word("linkFault", values.fault, values.detail) }),
      ...(code === "number.limit" ? counted(values, i18n.language) : {}),
      instant:
        values.at === undefined ? (values.since ?? values.until ?? "") : momentOf(Number(values.at), i18n.language),
      date: values.at === undefined ? (values.since ?? "") : dayOf(Number(values.at), i18n.language),
      howWord: word("optOutHow", values.source, values.how),
      kindWord: word("numberKind", values.kind),
      statusWord: status(values.status ?? ""),
      beforeWord: category(values.before ?? ""),
      afterWord: category(values.after ?? ""),
      age: ageText(Number(values.minutes ?? 0), i18n.language),
      size: size(values.bytes),
      limitSize: size(values.limit),
      // What was typed may look like a reference to another text; it is not one.
      nest: false,
    });
  };
}

/** The counts of a limit, as people of the language write numbers. */
function counted({ limit, used, fit, people }: SendProblem["values"], language: string) {
  const written = (count: string | undefined) => new Intl.NumberFormat(language).format(Number(count ?? 0));
  return { limit: written(limit), used: written(used), fit: written(fit), people: written(people) };
}

export const momentOf = (at: number, language: string) =>
  dateFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

const dayOf = (at: number, language: string) => dateFormat(language, { dateStyle: "medium" }).format(new Date(at));

/** What a number is if its first digits are the country code; empty where they are not. */
function readingText(values: SendProblem["values"], language: string, t: TFunction<"sends">): string {
  if (!values.formatted) return "";
  const number = numberWithCountry(values.formatted, values.country, language);
  return ` ${t("numberReading", { number, nest: false })}`;
}

/** So many minutes ago, in the largest unit that fits. */
export function ageText(minutes: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (minutes < 120) return format.format(-Math.round(minutes), "minute");
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), "hour");
  return format.format(-Math.round(minutes / (24 * 60)), "day");
}
