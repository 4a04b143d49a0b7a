import type { BulkAction, ItemState } from "@/bindings/app";

/** Templates of a bulk action in a state. */
export function countOf({ counts }: BulkAction, state: ItemState): number {
  return counts.find(({ value }) => value === state)?.count ?? 0;
}

/** Templates that the bulk action changes or has changed, without those it leaves alone. */
export function changing(bulkAction: BulkAction): number {
  return bulkAction.total - countOf(bulkAction, "skipped");
}
