import type { DayFigures } from "@/bindings/app";
import { everyPeriod } from "./periods";

/** Status events by day and word. */
export interface DayTable {
  /** The words that occur, those of a message's life first, in its order. */
  words: string[];
  /** Every day from the first to the last, also those on which nothing happened. */
  rows: { day: string; counts: Record<string, number> }[];
}

const LIFE = ["sent", "delivered", "read", "failed"];

/** The days of the answer as a table without gaps. */
export function dayTable(days: readonly DayFigures[]): DayTable {
  const found = new Set(days.flatMap(({ statuses }) => statuses.map(({ value }) => value)));
  const words = [
    ...LIFE.filter((word) => found.has(word)),
    ...[...found].filter((word) => !LIFE.includes(word)).sort(),
  ];
  const counts = new Map(
    days.map(({ day, statuses }) => [day, Object.fromEntries(statuses.map(({ value, count }) => [value, count]))]),
  );
  return { words, rows: everyPeriod([...counts.keys()], "day").map((day) => ({ day, counts: counts.get(day) ?? {} })) };
}

/** Fewer than so many are too few for a percentage: one more would move it by more than ten points. */
const FEW = 10;

/** A part of a whole as it may be said: nothing of nothing, counts where there are few, else whole percents. */
export function shareOf(
  part: number,
  whole: number,
): { kind: "none" } | { kind: "few" } | { kind: "percent"; text: string } {
  if (whole <= 0) return { kind: "none" };
  if (whole < FEW) return { kind: "few" };
  const percent = (100 * part) / whole;
  // Only none is 0 %, and only all are 100 %.
  if (part > 0 && percent < 1) return { kind: "percent", text: "< 1" };
  if (part < whole && percent > 99) return { kind: "percent", text: "> 99" };
  return { kind: "percent", text: String(Math.round(percent)) };
}
