import { dateFormat, relativeFormat } from "./formats";

/** Whether two instants, in Unix milliseconds, lie on the same day here. */
export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** The day of an instant as people say it: today, yesterday, a weekday within the last week, else the date. */
export function dayText(at: number, language: string, now = new Date()): string {
  const date = new Date(at);
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  const text =
    days === 0 || days === 1
      ? relativeFormat(language, { numeric: "auto" }).format(-days, "day")
      : dateFormat(language, days > 0 && days < 7 ? { weekday: "long" } : { dateStyle: "long" }).format(date);
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** The beginning of the day here; days are rounded, because one of them may be an hour longer. */
function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** The date of a day such as `2026-11-20`, which is one in UTC. */
export function utcDate(day: string, language: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : dateFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(at);
}
