import type { DayFigures, Facet } from "@/bindings/app";
import { everyPeriod } from "./periods";

/** Status events by day and word. */
export interface DayTable {
  /** The words that occur, those of a message's life first, in its order. */
  words: string[];
  /** Every day from the first to the last, also those on which nothing happened. */
  rows: { day: string; counts: Record<string, number> }[];
}

/** Statuses of a message and of a template in the order in which they are entered. */
const MESSAGE_LIFE = ["sent", "delivered", "read", "failed"];
const TEMPLATE_LIFE = [
  "APPROVED",
  "PENDING",
  "IN_REVIEW",
  "IN_APPEAL",
  "REJECTED",
  "FLAGGED",
  "PAUSED",
  "LIMIT_EXCEEDED",
  "LOCKED",
  "DISABLED",
  "ARCHIVED",
  "PENDING_DELETION",
  "DELETED",
];
const LIFE = [...MESSAGE_LIFE, ...TEMPLATE_LIFE];

/** Words in the order of a life; those it does not know come last, by alphabet. */
export function byLife(words: Iterable<string>): string[] {
  const place = (word: string) => (LIFE.includes(word) ? LIFE.indexOf(word) : LIFE.length);
  return [...words].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** Counts by status in the order of a life. */
export function facetsByLife(facets: readonly Facet[]): Facet[] {
  const counts = new Map(facets.map((facet) => [facet.value, facet]));
  return byLife(counts.keys()).flatMap((word) => counts.get(word) ?? []);
}

/** Counts of anything, the largest first. */
export const facetsByCount = (facets: readonly Facet[]): Facet[] => [...facets].sort((a, b) => b.count - a.count);

/** The days of the answer as a table without gaps. */
export function dayTable(days: readonly DayFigures[]): DayTable {
  const found = new Set(days.flatMap(({ statuses }) => statuses.map(({ value }) => value)));
  const words = byLife(found);
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
