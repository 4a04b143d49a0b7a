import { useTranslation } from "react-i18next";
import { listFormat, numberFormat } from "@/lib/formats";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each unit with its length, the length from which on people no longer say it, and the unit they add to few of it. */
const UNITS = [
  ["second", SECOND, 1.5 * MINUTE, undefined],
  ["minute", MINUTE, 1.5 * HOUR, undefined],
  ["hour", HOUR, 1.5 * DAY, ["minute", MINUTE]],
  ["day", DAY, Number.POSITIVE_INFINITY, ["hour", HOUR]],
] as const;

/** From so many on, the smaller unit is left out. */
const MANY = 10;

/** A length of time as people would say it: "80 minutes", "2 days 19 hours", "12 days". */
export function useDurationText(): (milliseconds: number) => string {
  const { i18n } = useTranslation();
  return (milliseconds) => durationText(milliseconds, i18n.language);
}

export function durationText(milliseconds: number, language: string): string {
  const [unit, length, , smaller] = UNITS.find(([, , until]) => milliseconds < until) ?? UNITS[3];
  const inUnit = (value: number, name: string) =>
    numberFormat(language, {
      style: "unit",
      unit: name,
      unitDisplay: "long",
      maximumFractionDigits: 0,
    }).format(value);
  if (smaller === undefined) return inUnit(Math.max(1, Math.round(milliseconds / length)), unit);
  const [smallerUnit, smallerLength] = smaller;
  const rounded = Math.round(milliseconds / smallerLength) * smallerLength;
  const whole = Math.floor(rounded / length);
  const rest = (rounded % length) / smallerLength;
  if (whole >= MANY) return inUnit(Math.round(milliseconds / length), unit);
  if (rest === 0) return inUnit(whole, unit);
  return listFormat(language, { type: "unit", style: "narrow" }).format([
    inUnit(whole, unit),
    inUnit(rest, smallerUnit),
  ]);
}
