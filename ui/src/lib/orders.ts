import type { ItemState, Order } from "@/bindings/app";

/** Templates of an order in a state. */
export function countOf({ counts }: Order, state: ItemState): number {
  return counts.find(({ value }) => value === state)?.count ?? 0;
}

/** Templates that the order changes or has changed, without those it leaves alone. */
export function changing(order: Order): number {
  return order.total - countOf(order, "skipped");
}
