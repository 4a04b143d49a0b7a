import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface InstantProps {
  /** Unix milliseconds. */
  at: number;
  /** `short` leaves out what today makes plain; `full` is date and time. */
  format?: "short" | "full";
}

/** A local time; the exact instant on hover. */
export function Instant({ at, format = "short" }: InstantProps) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <Tooltip label={exact(date)}>
      <time dateTime={date.toISOString()}>
        {format === "full" ? full(date, i18n.language) : localTime(at, i18n.language)}
      </time>
    </Tooltip>
  );
}

/** Time alone today, day and month this year, else the date. */
export function localTime(at: number, language: string, now = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) {
    return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(date);
  }
  if (date.getFullYear() === now.getFullYear()) {
    return new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }).format(date);
  }
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(date);
}

function full(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(date);
}

function exact(date: Date): string {
  return `${date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })} · ${date.toISOString()}`;
}
