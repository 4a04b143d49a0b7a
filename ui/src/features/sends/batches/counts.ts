import type { Batch, BatchCounts } from "@/bindings/app";
import type { OutcomeGroup } from "@/bindings/model";

/** States of rows in the order of the bar and its legend, the best outcome first. */
export const ROW_STATES = [
  "read",
  "delivered",
  "sent",
  "accepted",
  "other",
  "sending",
  "failed",
  "refused",
  "unknown",
  "skipped",
  "ended",
  "cancelled",
  "planned",
] as const satisfies readonly (keyof BatchCounts)[];

/** Groups of people, the best outcome first. */
export const OUTCOME_GROUPS = [
  "reached",
  "underway",
  "capped",
  "optedOut",
  "notOnChannel",
  "passing",
  "failed",
  "unknown",
  "notSent",
  "ended",
  "leftOut",
] as const satisfies readonly OutcomeGroup[];

/** Rows that were sent or left out. Those of a batch that was ended before their turn are neither. */
export function finishedRows({ total, counts: { planned, sending, cancelled, ended } }: Batch): number {
  return total - planned - sending - cancelled - ended;
}

/** Rows that were not sent and can be sent. */
export function remaining({ counts: { planned, cancelled } }: Batch): number {
  return planned + cancelled;
}

/**
 * Rows that were refused where nothing else is left of an interrupted batch. The host tries those again that met what
 * would have stopped every row; which these are it alone knows.
 */
export function refusedAlone(batch: Batch): number {
  return batch.state === "interrupted" && remaining(batch) === 0 ? batch.counts.refused : 0;
}
