// The fake host's history of templates.

import type { HistoryEntry, TemplateVersion } from "@/bindings/app";
import { ADVICE, fakeVersions } from "./fake-answers";
import { type Handlers, refusal } from "./fake-host";
import { type FakeTemplate, NOW } from "./fixtures";
import { compare, render } from "./rules";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A deleted template, and one that is missing from the listing. */
export const REMOVED = [
  {
    reference: "gone-1",
    name: "black_friday_2025",
    language: "en_US",
    at: NOW - 9 * DAY,
    exact: true,
    archived: false,
    canUnarchive: false,
  },
  {
    reference: "gone-2",
    name: "welcome_old",
    language: "pt_BR",
    at: NOW - 40 * DAY,
    exact: false,
    archived: false,
    canUnarchive: true,
  },
];

type History = Pick<Handlers, "get_history" | "list_removed" | "look_for_template" | "compare_versions">;

export function historyHandlers(find: (reference: string) => FakeTemplate): History {
  return {
    get_history: ({ reference, kinds, offset, limit }) => {
      const gone = REMOVED.find((one) => one.reference === reference);
      const { name, language } = gone ?? find(reference).row;
      const all = gone
        ? [entry({ id: "gone", kind: "deleted", source: "own", at: gone.at, exact: gone.exact })]
        : entriesOf(find(reference));
      const entries = all.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
      return {
        entries: entries.slice(offset, offset + limit),
        total: entries.length,
        name,
        language,
        removed: gone !== undefined,
        knownSince: NOW - 30 * DAY,
        decisions: gone
          ? []
          : [
              {
                submittedAt: NOW - 2 * DAY,
                decidedAt: NOW - 2 * DAY + 2 * HOUR,
                outcome: "REJECTED",
                tookMs: 2 * HOUR,
                exact: true,
                version: null,
              },
              { submittedAt: NOW - HOUR, decidedAt: null, outcome: null, tookMs: null, exact: false, version: null },
            ],
      };
    },
    list_removed: () => structuredClone(REMOVED),
    look_for_template: () => ({ found: false }),
    compare_versions: async ({ reference, left, right }) => {
      const found = find(reference);
      const versions = await fakeVersions(found);
      const current: TemplateVersion = {
        id: "current",
        at: NOW,
        origin: "current",
        template: found.template,
        bubble: await render(found.template),
        outcome: null,
        reason: null,
        advice: null,
        changes: [],
      };
      const pick = (id: string) =>
        [current, ...versions].find((version) => version.id === id) ??
        refusal({ code: "notFound", what: `Version ${id}` });
      const [before, after] = [pick(left), pick(right)];
      return { left: before, right: after, changes: await compare(before.template, after.template) };
    },
  };
}

function entry(part: Partial<HistoryEntry> & Pick<HistoryEntry, "id" | "kind">): HistoryEntry {
  return { at: NOW, exact: true, source: "webhook", wabas: [], ...part };
}

function entriesOf({ row }: FakeTemplate): HistoryEntry[] {
  const recent: HistoryEntry[] = [
    entry({
      id: "h-status",
      kind: "status",
      at: NOW - 20 * HOUR,
      wabas: row.wabas.slice(0, 1),
      before: "PENDING",
      after: row.status,
      reason: row.rejectedReason ?? null,
      advice: row.rejectedReason ? ADVICE : null,
      deliveries: 3,
      item: "event-4",
      raw: `{"event":"${row.status}","message_template_id":1187231209381209123}`,
    }),
    entry({ id: "h-quality", kind: "quality", at: NOW - DAY, before: "UNKNOWN", after: "GREEN", item: "event-9" }),
    entry({
      id: "h-gap",
      kind: "gap",
      source: "gap",
      at: NOW - 2 * DAY,
      exact: false,
      notBefore: NOW - 3 * DAY,
      gap: "notListening",
    }),
    entry({
      id: "h-category",
      kind: "category",
      source: "sync",
      at: NOW - 2 * DAY,
      exact: false,
      notBefore: NOW - 3 * DAY,
      before: "UTILITY",
      after: "MARKETING",
    }),
    entry({
      id: "h-content",
      kind: "content",
      source: "sync",
      at: NOW - 4 * DAY,
      exact: false,
      notBefore: null,
      field: "sub_category",
      version: `${row.reference}-1`,
    }),
    entry({
      id: "h-archive",
      kind: "archived",
      source: "own",
      at: NOW - 5 * DAY,
      after: "ARCHIVED",
      outcome: "unknown",
    }),
    entry({ id: "h-new", kind: "template_pricing", at: NOW - 6 * DAY, after: "TIER_2" }),
    entry({ id: "h-submitted", kind: "submitted", source: "own", field: "edit", at: NOW - 7 * DAY, outcome: "done" }),
    entry({
      id: "h-refused",
      kind: "submitted",
      source: "own",
      field: "create",
      at: NOW - 7.5 * DAY,
      outcome: "failed",
      reason: "The name is taken.",
    }),
    entry({ id: "h-approved", kind: "status", at: NOW - 7.6 * DAY, after: "APPROVED", reason: "NONE" }),
    entry({
      id: "h-announced",
      kind: "category",
      field: "announced",
      at: NOW - 7.7 * DAY,
      before: "UTILITY",
      after: "MARKETING",
    }),
  ];
  // Enough for several pages.
  const older = Array.from({ length: 60 }, (_, index) =>
    entry({
      id: `h-${index}`,
      kind: "quality",
      at: NOW - (8 + index) * DAY,
      before: index % 2 ? "GREEN" : "YELLOW",
      after: index % 2 ? "YELLOW" : "GREEN",
    }),
  );
  return [...recent, ...older];
}
