import { useTranslation } from "react-i18next";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each unit with its length and the length from which on people no longer say it. */
const UNITS = [
  ["second", SECOND, 1.5 * MINUTE],
  ["minute", MINUTE, 1.5 * HOUR],
  ["hour", HOUR, 1.5 * DAY],
  ["day", DAY, Number.POSITIVE_INFINITY],
] as const;

/** A length of time in the one unit that people would say it in: seconds, minutes, hours or days. */
export function useDurationText(): (milliseconds: number) => string {
  const { i18n } = useTranslation();
  return (milliseconds) => durationText(milliseconds, i18n.language);
}

export function durationText(milliseconds: number, language: string): string {
  const [unit, length] = UNITS.find(([, , until]) => milliseconds < until) ?? ["day", DAY];
  const value = unit === "second" ? Math.max(1, Math.round(milliseconds / SECOND)) : milliseconds / length;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: (unit === "hour" || unit === "day") && value < 10 ? 1 : 0,
  }).format(value);
}
