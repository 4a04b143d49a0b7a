import type { Batch, BatchCounts, BatchRow } from "@/bindings/app";
import { isUnderWay, shownRunState } from "@/lib/run-state";

/** The word of a batch's state: what a person stopped is paused, since its rest can still be sent. */
export function shownBatchState({ state, counts }: Pick<Batch, "state"> & Partial<Pick<Batch, "counts">>): string {
  if (state === "cancelled") return "paused";
  return state === "cancelling" ? "pausing" : shownRunState(state, counts?.unknown ?? 0);
}

/** The state of a row as it is counted: rows that were left out when the batch was ended are stored as skipped. */
export function countedState({ state, problem }: BatchRow): string {
  return problem?.code === "row.ended" ? "ended" : state;
}

/** The word of a row's state: nothing leaves by itself for the rest of a batch that stopped. */
export function shownRowState(batch: Batch, state: string): string {
  return isRest(batch, state) ? "notSent" : state;
}

/** The numbers of rows by the word of their state. */
export function shownCounts(batch: Batch): Partial<Record<keyof BatchCounts | "notSent", number>> {
  const { planned, cancelled, ...others } = batch.counts;
  if (!isRest(batch, "planned")) return batch.counts;
  return { ...others, notSent: planned + cancelled };
}

const isRest = (batch: Batch, state: string) =>
  state === "cancelled" ||
  state === "ended" ||
  (state === "planned" && batch.state !== "planned" && !isUnderWay(batch));

/** Whether a batch is one to a person: every check leaves a plan, of which some wait for their time or their other half. */
export const isStarted = ({ state, origin, isHalf }: Batch) => state !== "planned" || origin != null || isHalf === true;
