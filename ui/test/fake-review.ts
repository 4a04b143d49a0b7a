// The fake host's review board.

import type { DraftRow, ReviewNeeds, TemplateQuery, TemplateRow } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { listTemplates, OVERDUE_BEFORE, RISK_UNTIL } from "./fake-lists";
import type { FakeTemplate } from "./fixtures";

const STATUSES = ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"];

type Review = Pick<
  Handlers,
  "get_review_board" | "list_account_notices" | "list_sending_notices" | "list_sender_health" | "dismiss_account_notice"
>;

export function reviewHandlers(templates: FakeTemplate[], drafts: () => DraftRow[]): Review {
  const rows = () => templates.map(({ row }) => row);
  return {
    list_account_notices: () => [],
    list_sending_notices: () => [],
    list_sender_health: () => [],
    dismiss_account_notice: () => ({}),
    get_review_board: ({ query, byAccount }) => {
      const list = (status: string) =>
        listTemplates(rows(), {
          ...query,
          statuses: status === "ARCHIVED" ? [] : [status],
          archived: status === "ARCHIVED",
          sort: "newest",
          offset: 0,
        });
      const others = rows().map(({ status }) => status);
      const statuses = [...STATUSES, ...others.filter((status) => !STATUSES.includes(status)), "ARCHIVED"];
      const own = drafts();
      const wabas = new Set(rows().flatMap((row) => row.wabas));
      const ofAccount = (waba: string) =>
        listTemplates(rows(), { ...query, wabas: [waba], archived: false, offset: 0 });
      const archived = list("ARCHIVED");
      return {
        columns: byAccount
          ? [
              ...[...wabas].map((waba) => {
                const { rows: shown, total } = ofAccount(waba);
                return { status: "", waba, count: total, rows: shown };
              }),
              { status: "ARCHIVED", count: archived.total, rows: archived.rows },
            ]
          : [...new Set(statuses)].map((status) => {
              const { rows: shown, total } = list(status);
              return { status, count: total, rows: shown };
            }),
        differing: {},
        accounts: {},
        flagged: {},
        comingCategories: {},
        raisedCategories: {},
        drafts: own.slice(0, query.limit),
        draftCount: own.length,
        asOf: list("PENDING").asOf ?? null,
        needs: needs(rows(), query),
        facets: listTemplates(rows(), { ...query, statuses: [], archived: false, offset: 0 }).facets,
      };
    },
  };
}

function needs(rows: TemplateRow[], query: TemplateQuery): ReviewNeeds {
  const count = (part: Partial<TemplateQuery>) =>
    listTemplates(rows, { ...query, categoryChanged: null, overdue: null, atRisk: null, offset: 0, ...part }).total;
  const ofStatus = (status: string) => count({ statuses: [status], archived: false });
  return {
    rejected: ofStatus("REJECTED"),
    paused: ofStatus("PAUSED"),
    disabled: ofStatus("DISABLED"),
    categoryChanged: count({ statuses: [], archived: null, categoryChanged: true }),
    overdue: count({ statuses: [], archived: null, overdue: true }),
    overdueBefore: OVERDUE_BEFORE,
    atRisk: count({ statuses: [], archived: null, atRisk: true }),
    riskUntil: RISK_UNTIL,
    usualMs: 86_400_000,
    usualSeen: false,
  };
}
