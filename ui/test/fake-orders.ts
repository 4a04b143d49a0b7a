// Archiving, unarchiving and deleting many templates, as the host does it: planned first, then one by one.

import type { DeskError, DeskEvent, Order, OrderItem, PlanOrder } from "@/bindings/app";
import { countBy } from "./fake-answers";
import { type Handlers, refusal } from "./fake-host";
import { targeted } from "./fake-lists";
import { type FakeTemplate, NOW } from "./fixtures";

type Orders = Pick<
  Handlers,
  | "plan_order"
  | "start_order"
  | "cancel_order"
  | "retry_order"
  | "undo_order"
  | "get_order"
  | "list_orders"
  | "discard_order"
>;

interface Kept {
  order: Order;
  items: OrderItem[];
}

/** A template of this name cannot be changed at the first attempt. */
export const STUBBORN = "order_shipped";
const REFUSED: DeskError = {
  code: "service",
  status: 503,
  errorCode: "2",
  message: "Service temporarily unavailable",
  details: "Try again in a moment.",
  field: null,
  body: '{"message":"Service temporarily unavailable"}',
};

export function orderHandlers(templates: FakeTemplate[], emit: (event: DeskEvent) => void): Orders {
  const kept = new Map<string, Kept>();
  let next = 1;
  const keptOf = (id: string) => kept.get(id) ?? refusal({ code: "notFound", what: `Order ${id}` });

  const count = ({ order, items }: Kept) => {
    order.counts = countBy(items.map(({ state }) => state));
    order.retryable = items.filter(({ state }) => state === "failed" || state === "cancelled").length;
    order.undoable = order.action !== "delete" && items.some(({ state }) => state === "done");
  };
  const plan = ({ workspace, action, target }: PlanOrder): Order => {
    const found = targeted(templates, target);
    const names = [...new Set(found.map(({ row }) => row.name))];
    const items = found.map(({ row }, position): OrderItem => {
      const already = action === "archive" ? row.archived : action === "unarchive" && !row.archived;
      return {
        position,
        reference: row.reference,
        name: row.name,
        language: row.language,
        state: already ? "skipped" : "planned",
        error: already ? { code: "conflict", message: "It is so already." } : null,
        at: null,
        attempts: 0,
      };
    });
    const order: Order = {
      id: `order-${next++}`,
      workspace,
      action,
      state: "planned",
      total: items.length,
      counts: [],
      names: names.slice(0, 20),
      nameCount: names.length,
      approved: found.filter(({ row }) => row.status === "APPROVED").length,
      blockedDays: 30,
      upstreamDeletionDays: 28,
      recentSends: 12,
      confirmation: action === "delete" ? (names.length === 1 ? names[0] : `delete ${items.length}`) : null,
      error: null,
      undoOf: null,
      undoable: false,
      retryable: 0,
      createdAt: NOW,
      startedAt: null,
      endedAt: null,
    };
    const entry = { order, items };
    count(entry);
    kept.set(order.id, entry);
    return structuredClone(order);
  };
  /** Every item leaves; a stubborn one fails the first time. */
  const run = (entry: Kept, states: string[]) => {
    const { order, items } = entry;
    for (const item of items.filter(({ state }) => states.includes(state))) {
      item.attempts += 1;
      item.at = NOW;
      const at = templates.findIndex(({ row }) => row.reference === item.reference);
      const found = templates[at];
      if (!found || (item.name === STUBBORN && item.attempts === 1)) {
        item.state = "failed";
        item.error = REFUSED;
        continue;
      }
      item.state = "done";
      item.error = null;
      if (order.action === "delete") templates.splice(at, 1);
      else found.row.archived = order.action === "archive";
    }
    order.state = "done";
    order.startedAt ??= NOW;
    order.endedAt = NOW;
    count(entry);
    const { id, workspace, total } = order;
    emit({ type: "orderProgress", workspace, id, done: total, total, state: order.state });
    return structuredClone(order);
  };

  return {
    plan_order: plan,
    start_order: ({ id, confirmation }) => {
      const entry = keptOf(id);
      const { confirmation: wanted } = entry.order;
      if (wanted != null && wanted !== confirmation)
        refusal({ code: "invalidInput", field: "confirmation", message: "The words differ." });
      return run(entry, ["planned"]);
    },
    cancel_order: ({ id }) => {
      const entry = keptOf(id);
      for (const item of entry.items) if (item.state === "planned") item.state = "cancelled";
      entry.order.state = "cancelled";
      count(entry);
      return structuredClone(entry.order);
    },
    retry_order: ({ id }) => run(keptOf(id), ["failed", "cancelled"]),
    undo_order: ({ workspace, id }) => {
      const { order, items } = keptOf(id);
      const references = items.filter(({ state }) => state === "done").map(({ reference }) => reference);
      const action = order.action === "archive" ? "unarchive" : "archive";
      const undoing = keptOf(plan({ workspace, action, target: { kind: "references", references } }).id);
      undoing.order.undoOf = id;
      order.undoable = false;
      return run(undoing, ["planned"]);
    },
    get_order: ({ id, state, after, limit }) => {
      const { order, items } = keptOf(id);
      const fitting = items.filter((item) => (!state || item.state === state) && item.position > (after ?? -1));
      const shown = fitting.slice(0, limit);
      return {
        order: structuredClone(order),
        items: structuredClone(shown),
        next: shown.length < fitting.length ? (shown.at(-1)?.position ?? null) : null,
      };
    },
    list_orders: () =>
      [...kept.values()]
        .filter(({ order }) => order.state !== "planned")
        .map(({ order }) => structuredClone(order))
        .reverse(),
    discard_order: ({ id }) => {
      kept.delete(id);
      return {};
    },
  };
}
