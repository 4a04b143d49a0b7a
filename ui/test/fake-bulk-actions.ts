// The fake host's bulk actions: archive, unarchive and delete, planned first, then run item by item.

import type { BulkAction, BulkActionItem, DeskError, DeskEvent, PlanBulkAction } from "@/bindings/app";
import { countBy } from "./fake-answers";
import { type Handlers, refusal } from "./fake-host";
import { targeted } from "./fake-lists";
import { type FakeTemplate, NOW } from "./fixtures";

type BulkActionHandlers = Pick<
  Handlers,
  | "plan_bulk_action"
  | "start_bulk_action"
  | "cancel_bulk_action"
  | "retry_bulk_action"
  | "undo_bulk_action"
  | "get_bulk_action"
  | "list_bulk_actions"
  | "discard_bulk_action"
>;

interface Entry {
  bulkAction: BulkAction;
  items: BulkActionItem[];
}

/** The first attempt to change a template of this name fails. */
export const FAILS_ONCE = "order_shipped";
const REFUSED: DeskError = {
  code: "service",
  status: 503,
  errorCode: "2",
  message: "Service temporarily unavailable",
  details: "Try again in a moment.",
  field: null,
  body: '{"message":"Service temporarily unavailable"}',
};

export function bulkActionHandlers(templates: FakeTemplate[], emit: (event: DeskEvent) => void): BulkActionHandlers {
  const entries = new Map<string, Entry>();
  let next = 1;
  const entryOf = (id: string) => entries.get(id) ?? refusal({ code: "notFound", what: `BulkAction ${id}` });

  const count = ({ bulkAction, items }: Entry) => {
    bulkAction.counts = countBy(items.map(({ state }) => state));
    bulkAction.retryable = items.filter(({ state }) => state === "failed").length;
    bulkAction.undoable = bulkAction.action !== "delete" && items.some(({ state }) => state === "done");
  };
  const plan = ({ workspace, action, target }: PlanBulkAction): BulkAction => {
    const found = targeted(templates, target);
    const names = [...new Set(found.map(({ row }) => row.name))];
    const items = found.map(({ row }, position): BulkActionItem => {
      const already = action === "archive" ? row.archived : action === "unarchive" && !row.archived;
      return {
        position,
        reference: row.reference,
        name: row.name,
        language: row.language,
        state: already ? "skipped" : "planned",
        error: already ? { code: "conflict", message: "The template is already in this state." } : null,
        at: null,
        attempts: 0,
      };
    });
    const bulkAction: BulkAction = {
      id: `bulk-action-${next++}`,
      workspace,
      action,
      state: "planned",
      total: items.length,
      counts: [],
      names: names.slice(0, 20),
      nameCount: names.length,
      approved: found.filter(({ row }) => row.status === "APPROVED").length,
      approvedBefore: 0,
      mayBeApproved: 0,
      archived: found.filter(({ row }) => row.archived === true).length,
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
    const entry = { bulkAction, items };
    count(entry);
    entries.set(bulkAction.id, entry);
    return structuredClone(bulkAction);
  };
  /** Runs the items in one of `states`. */
  const run = (entry: Entry, states: string[]) => {
    const { bulkAction, items } = entry;
    for (const item of items.filter(({ state }) => states.includes(state))) {
      item.attempts += 1;
      item.at = NOW;
      const at = templates.findIndex(({ row }) => row.reference === item.reference);
      const found = templates[at];
      if (!found || (item.name === FAILS_ONCE && item.attempts === 1)) {
        item.state = "failed";
        item.error = REFUSED;
        continue;
      }
      item.state = "done";
      item.error = null;
      if (bulkAction.action === "delete") templates.splice(at, 1);
      else found.row.archived = bulkAction.action === "archive";
    }
    bulkAction.state = items.some(({ state }) => state === "cancelled") ? "cancelled" : "done";
    bulkAction.startedAt ??= NOW;
    bulkAction.endedAt = NOW;
    count(entry);
    const { id, workspace, total } = bulkAction;
    emit({ type: "bulkActionProgress", workspace, id, done: total, total, state: bulkAction.state });
    return structuredClone(bulkAction);
  };

  return {
    plan_bulk_action: plan,
    start_bulk_action: ({ id, confirmation }) => {
      const entry = entryOf(id);
      const { confirmation: wanted } = entry.bulkAction;
      if (wanted != null && wanted !== confirmation)
        refusal({ code: "invalidInput", field: "confirmation", message: "The confirmation does not match." });
      return run(entry, ["planned"]);
    },
    cancel_bulk_action: ({ id }) => {
      const entry = entryOf(id);
      for (const item of entry.items) if (item.state === "planned") item.state = "cancelled";
      entry.bulkAction.state = "cancelled";
      count(entry);
      return structuredClone(entry.bulkAction);
    },
    retry_bulk_action: ({ id, retryCancelled }) =>
      run(entryOf(id), retryCancelled ? ["failed", "cancelled"] : ["failed"]),
    undo_bulk_action: ({ workspace, id }) => {
      const { bulkAction, items } = entryOf(id);
      const references = items.filter(({ state }) => state === "done").map(({ reference }) => reference);
      const action = bulkAction.action === "archive" ? "unarchive" : "archive";
      const undoing = entryOf(plan({ workspace, action, target: { kind: "references", references } }).id);
      undoing.bulkAction.undoOf = id;
      bulkAction.undoable = false;
      return run(undoing, ["planned"]);
    },
    get_bulk_action: ({ id, state, after, limit }) => {
      const { bulkAction, items } = entryOf(id);
      const fitting = items.filter((item) => (!state || item.state === state) && item.position > (after ?? -1));
      const shown = fitting.slice(0, limit);
      return {
        bulkAction: structuredClone(bulkAction),
        items: structuredClone(shown),
        next: shown.length < fitting.length ? (shown.at(-1)?.position ?? null) : null,
      };
    },
    list_bulk_actions: () =>
      [...entries.values()]
        .filter(({ bulkAction }) => bulkAction.state !== "planned")
        .map(({ bulkAction }) => structuredClone(bulkAction))
        .reverse(),
    discard_bulk_action: ({ id }) => {
      entries.delete(id);
      return {};
    },
  };
}
