const DAY = 86_400_000;
/** Maximum number of bars in a chart. */
export const MAX_PERIODS = 93;

/** What figures over time are gathered in. */
export type Period = "day" | "week" | "month";

const start = (key: string): number => Date.parse(`${key.length === 7 ? `${key}-01` : key}T00:00:00Z`);

function next(at: number, period: Period): number {
  if (period !== "month") return at + (period === "week" ? 7 : 1) * DAY;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * Every period from the first to the last, such as `2026-11-20` (a week is called by its Monday) or `2026-11`: one that
 * is missing in a chart would lie about the pace. Keys that cannot be read, and more than can be shown, stay as they came.
 */
export function everyPeriod(keys: readonly string[], period: Period): string[] {
  const sorted = [...keys].sort();
  const [from, to] = [start(sorted[0] ?? ""), start(sorted.at(-1) ?? "")];
  if (sorted.some((key) => Number.isNaN(start(key)))) return sorted;
  const all: string[] = [];
  for (let at = from; at <= to; at = next(at, period)) {
    if (all.length >= MAX_PERIODS) return sorted;
    all.push(new Date(at).toISOString().slice(0, period === "month" ? 7 : 10));
  }
  // Weeks that begin on another day than the first one would be lost.
  return sorted.every((key) => all.includes(key)) ? all : sorted;
}

/** A period as people say it; the word itself where it cannot be read. */
export function periodText(key: string, period: Period, language: string): string {
  const at = start(key);
  if (Number.isNaN(at)) return key;
  const format = new Intl.DateTimeFormat(language, {
    ...(period === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" }),
    timeZone: "UTC",
  });
  return period === "week" ? format.formatRange(at, at + 6 * DAY) : format.format(at);
}
