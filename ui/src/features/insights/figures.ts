import type { DayFigures } from "@/bindings/app";

/** Status events by day and word. */
export interface DayTable {
  /** The words that occur, those of a message's life first, in its order. */
  words: string[];
  /** Every day from the first to the last, also those on which nothing happened. */
  rows: { day: string; counts: Record<string, number> }[];
}

const LIFE = ["sent", "delivered", "read", "failed"];
const DAY = 86_400_000;

/** The days of the answer as a table without gaps: a day missing in a chart would lie about the pace. */
export function dayTable(days: readonly DayFigures[]): DayTable {
  const found = new Set(days.flatMap(({ statuses }) => statuses.map(({ value }) => value)));
  const words = [
    ...LIFE.filter((word) => found.has(word)),
    ...[...found].filter((word) => !LIFE.includes(word)).sort(),
  ];
  const counts = new Map(
    days.map(({ day, statuses }) => [day, Object.fromEntries(statuses.map(({ value, count }) => [value, count]))]),
  );
  const first = days[0];
  const last = days.at(-1);
  const from = Date.parse(`${first?.day}T00:00:00Z`);
  const to = Date.parse(`${last?.day}T00:00:00Z`);
  // Days that cannot be read, or a span longer than a chart can show, are shown as they came.
  if (Number.isNaN(from) || Number.isNaN(to) || to < from || (to - from) / DAY > 92) {
    return { words, rows: days.map(({ day }) => ({ day, counts: counts.get(day) ?? {} })) };
  }
  const rows: DayTable["rows"] = [];
  for (let at = from; at <= to; at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10);
    rows.push({ day, counts: counts.get(day) ?? {} });
  }
  return { words, rows };
}
