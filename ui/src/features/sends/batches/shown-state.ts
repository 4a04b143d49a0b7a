import type { Batch, BatchCounts, RunState } from "@/bindings/app";
import { isUnderWay } from "@/lib/run-state";

/** The word of a batch's state: what a person stopped is paused, since its rest can still be sent. */
export function shownBatchState(state: RunState): string {
  if (state === "cancelled") return "paused";
  return state === "cancelling" ? "pausing" : state;
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
  state === "cancelled" || (state === "planned" && batch.state !== "planned" && !isUnderWay(batch));
