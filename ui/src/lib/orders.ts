import type { Order } from "@/bindings/app";

export type Action = "archive" | "unarchive" | "delete";

/** What an order does; the host knows no other. */
export function actionOf(order: Order): Action {
  return order.action === "delete" || order.action === "unarchive" ? order.action : "archive";
}

/** Templates of an order in a state, such as `done`. */
export function countOf({ counts }: Order, state: string): number {
  return counts.find(({ value }) => value === state)?.count ?? 0;
}

/** Templates that the order changes or has changed, without those it leaves alone. */
export function changing(order: Order): number {
  return order.total - countOf(order, "skipped");
}

/** Whether the order is being carried out now. */
export function isUnderWay({ state }: Order): boolean {
  return state === "running" || state === "cancelling";
}
