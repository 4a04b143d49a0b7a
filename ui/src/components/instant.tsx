import { useTranslation } from "react-i18next";
import { dayText, isSameDay } from "@/lib/days";
import { dateFormat } from "@/lib/formats";
import { Hint } from "./hint";

interface InstantProps {
  /** Unix milliseconds. */
  at: number;
  /**
   * `short` leaves out what today makes plain, `day` does so in words within a week, `moment` keeps the time on any day, `brief` does so without seconds;
   * `full` is date and time, `time` the time alone, for where the day is shown.
   */
  format?: keyof typeof FORMATS;
}

/** A local time; the exact instant on hover. */
export function Instant({ at, format = "short" }: InstantProps) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <Hint label={() => exact(date)}>
      <time dateTime={date.toISOString()}>{FORMATS[format](at, i18n.language)}</time>
    </Hint>
  );
}

/** Time alone today, day and month this year, else the date. */
export function localTime(at: number, language: string, now = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) {
    return dateFormat(language, { timeStyle: "short" }).format(date);
  }
  if (date.getFullYear() === now.getFullYear()) {
    return dateFormat(language, { day: "numeric", month: "short" }).format(date);
  }
  return dateFormat(language, { dateStyle: "medium" }).format(date);
}

/** Time with seconds today, else the day before it. */
function moment(at: number, language: string, now = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) {
    return dateFormat(language, { timeStyle: "medium" }).format(date);
  }
  if (date.getFullYear() !== now.getFullYear()) return localTime(at, language, now);
  return dateFormat(language, {
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  }).format(date);
}

/** Time today, else the day as people say it. */
function day(at: number, language: string, now = new Date()): string {
  const age = now.getTime() - at;
  return age < 0 || age > WEEK || isSameDay(at, now.getTime())
    ? localTime(at, language, now)
    : dayText(at, language, now);
}

const WEEK = 6 * 86_400_000;

/** Time today, else the day before it. */
function brief(at: number, language: string, now = new Date()): string {
  const date = new Date(at);
  return date.toDateString() === now.toDateString()
    ? dateFormat(language, { timeStyle: "short" }).format(date)
    : moment(at, language, now);
}

/** Date and time to the second. */
export function exactTime(at: number, language: string): string {
  return dateFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
}

const FORMATS = {
  short: (at: number, language: string) => localTime(at, language),
  moment: (at: number, language: string) => moment(at, language),
  full: exactTime,
  day: (at: number, language: string) => day(at, language),
  brief: (at: number, language: string) => brief(at, language),
  time: (at: number, language: string) => dateFormat(language, { timeStyle: "short" }).format(at),
};

function exact(date: Date): string {
  return `${dateFormat(undefined, { dateStyle: "full", timeStyle: "long" }).format(date)} · ${date.toISOString()}`;
}
