// The fake host's insights: some weeks of messages, some of them failed, and reviews with every outcome.

import type { Coverage, CoverageNote, Facet, FunnelRow, WorkspaceRateCard } from "@/bindings/app";
import type { Cost } from "@/bindings/model";
import type { CommandName } from "@/lib/ipc/host";
import { countBy } from "./fake-answers";
import type { Handlers } from "./fake-host";
import { NOW } from "./fixtures";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const day = (back: number) => new Date(NOW - back * DAY).toISOString().slice(0, 10);

const covers = (sends: number, ...notes: CoverageNote[]): Coverage => ({
  from: NOW - 29 * DAY,
  to: NOW,
  sends,
  unknownSender: 0,
  notes,
});

function row(key: string, sent: number): FunnelRow {
  const failed = Math.round(sent * 0.031);
  const delivered = sent - failed;
  const [read, replied] = [Math.round(delivered * 0.71), Math.round(delivered * 0.12)];
  const codes = failed === 0 ? [] : [{ code: "131026", count: Math.ceil(failed * 0.7) }];
  if (failed > 3) codes.push({ code: "999999", count: failed - Math.ceil(failed * 0.7) });
  return {
    key,
    sent,
    delivered,
    read,
    replied,
    clicked: Math.round(replied / 2),
    tappable: delivered,
    failed,
    waiting: sent % 7,
    codes,
  };
}

const KEYS: Record<string, [string, number][]> = {
  template: [
    ["summer_sale_2026", 1204],
    ["order_shipped", 512],
    ["loyalty_points_expiring_reminder_for_members_of_the_gold_tier", 118],
    ["one_time_code", 6],
  ],
  language: [
    ["en_US", 1322],
    ["pt_BR", 518],
  ],
  category: [
    ["MARKETING", 1322],
    ["UTILITY", 512],
    ["", 6],
  ],
  day: Array.from({ length: 28 }, (_, back) => [day(back), back === 6 ? 0 : 40 + ((back * 37) % 60)]),
  week: [
    ["2026-11-02", 402],
    ["2026-11-09", 611],
    ["2026-11-16", 310],
  ],
  month: [
    ["2026-10", 517],
    ["2026-11", 1323],
  ],
};

const COST: Cost = {
  currency: "USD",
  isSample: false,
  total: "74.4618",
  priced: 1204,
  free: 293,
  unknown: 14,
  lines: [
    { market: "BR", category: "marketing", messages: 1190, price: "0.0625", amount: "74.375" },
    { market: "Rest of Latin America", category: "utility", messages: 14, price: "0.0062", amount: "0.0868" },
    { market: "MX", category: "marketing", messages: 14, price: null, amount: null },
  ],
};

const RATE_CARD: WorkspaceRateCard = {
  name: "rates.csv",
  importedAt: NOW - DAY,
  summary: {
    currency: "USD",
    isSample: false,
    rates: 180,
    markets: 41,
    unknownMarkets: ["Rest of the Moon"],
    validFrom: ["2026-07-01", "2026-10-01"],
  },
  prices: [
    { market: "BR", category: "marketing", price: "0.0625", validFrom: "2026-07-01", isComing: false, tierFrom: 1 },
    { market: "BR", category: "utility", price: "0.0068", validFrom: "2026-10-01", isComing: false, tierFrom: 1 },
    { market: "BR", category: "utility", price: "0.005", validFrom: "2027-01-01", isComing: true, tierFrom: 1 },
    { market: "Other", category: "marketing", price: "0.01", validFrom: "2026-07-01", isComing: false, tierFrom: 1 },
  ],
};

type Name = Extract<
  CommandName,
  | "get_insights"
  | "get_funnel"
  | "get_review_times"
  | "get_pricing"
  | "export_insights"
  | "get_rate_card"
  | "import_rate_card"
  | "remove_rate_card"
  | "export_sample_rate_card"
>;

export function insightsHandlers(statuses: () => string[]): Pick<Handlers, Name> {
  let card: WorkspaceRateCard | null = null;
  return {
    get_insights: () => ({
      templates: countBy(statuses()),
      statuses: [
        { value: "sent", count: 1840 },
        { value: "delivered", count: 1712 },
        { value: "read", count: 1203 },
        { value: "failed", count: 41 },
      ],
      kinds: [
        { value: "status", count: 4796 },
        { value: "message", count: 322 },
        { value: "template_status", count: 61 },
      ],
      days: Array.from({ length: 14 }, (_, index) => ({
        day: day(13 - index),
        statuses: [
          { value: "sent", count: 90 + ((index * 37) % 80) },
          { value: "delivered", count: 80 + ((index * 31) % 70) },
          { value: "read", count: 50 + ((index * 23) % 60) },
          { value: "failed", count: (index * 3) % 8 },
        ],
      })),
    }),
    get_funnel: ({ by, template, limit }) => {
      const found = (KEYS[by] ?? []).filter(([key]) => by !== "template" || !template || key === template);
      const rows = found.filter(([, sent]) => sent > 0).map(([key, sent]) => row(key, sent));
      const total = row("", template ? (found[0]?.[1] ?? 0) : 1840);
      return {
        total,
        rows: rows.slice(0, limit),
        more: by === "template" && !template ? 12 : 0,
        covers: covers(total.sent, "elsewhere", "templatesOnly", "repliesByContext"),
      };
    },
    get_review_times: () => ({
      decided: 131,
      medianMs: 14 * 60_000,
      p90Ms: 7 * HOUR,
      shortestMs: 21_000,
      longestMs: 52 * HOUR,
      buckets: [
        { upToMs: 60_000, count: 9 },
        { upToMs: 10 * 60_000, count: 41 },
        { upToMs: HOUR, count: 52 },
        { upToMs: 6 * HOUR, count: 14 },
        { upToMs: 24 * HOUR, count: 12 },
        { upToMs: null, count: 3 },
      ],
      outcomes: [
        { value: "APPROVED", count: 107 },
        { value: "REJECTED", count: 24 },
      ],
      byCategory: [
        { key: "MARKETING", decided: 96, approved: 75, rejected: 21, medianMs: 17 * 60_000 },
        { key: "UTILITY", decided: 31, approved: 28, rejected: 3, medianMs: 6 * 60_000 },
        { key: "AUTHENTICATION", decided: 4, approved: 4, rejected: 0, medianMs: null },
      ],
      reasons: [
        { value: "INVALID_FORMAT", count: 15 },
        { value: "PROMOTIONAL", count: 6 },
        { value: "SOMETHING_NEW", count: 2 },
        { value: "", count: 1 },
      ],
      pending: 7,
      oldestPendingMs: 31 * HOUR,
      covers: covers(0, "retention"),
    }),
    get_pricing: () => ({
      rows: [
        { category: "marketing", model: "PMP", billable: 1190, free: 0, unknown: 14 },
        { category: "utility", model: "PMP", billable: 301, free: 205, unknown: 0 },
        { category: "service", model: "CBP", billable: 0, free: 88, unknown: 0 },
      ],
      days: Array.from({ length: 21 }, (_, index) => ({
        day: day(20 - index),
        counts: [
          { value: "marketing", count: 30 + ((index * 41) % 50) },
          { value: "utility", count: 12 + ((index * 17) % 22) },
          { value: "service", count: (index * 5) % 9 },
        ] satisfies Facet[],
      })),
      spend: card && {
        cost: COST,
        days: [{ key: day(1), messages: 1511, amount: "74.4618", unknown: 14 }],
        templates: [
          { key: "spring_sale", messages: 1204, amount: "74.375", unknown: 14 },
          { key: "", messages: 307, amount: "0.0868", unknown: 0 },
        ],
      },
      covers: covers(1798, "elsewhere", "unknownCategory"),
    }),
    get_rate_card: () => card,
    import_rate_card: () => {
      card = RATE_CARD;
      return { name: card.name, rates: card.summary.rates, kept: 0, faults: [], faulty: 0 };
    },
    remove_rate_card: () => {
      card = null;
      return {};
    },
    export_sample_rate_card: () => ({ path: "/home/ana/rate-card-sample.csv", rows: 9 }),
    export_insights: ({ what }) => ({ path: `/home/ana/Documents/${what}.csv`, rows: 4 }),
  };
}
