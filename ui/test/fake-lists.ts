// The fake host's template lists: filtered, by language, and with saved views.

import type {
  ListViews,
  MatrixQuery,
  MatrixRow,
  TemplatePage,
  TemplateQuery,
  TemplateRow,
  TemplateTarget,
} from "@/bindings/app";
import type { LanguageDifference } from "@/bindings/model";
import { isAtRisk } from "@/lib/archival";
import { countBy, groupBy } from "./fake-answers";
import { type Handlers, refusal } from "./fake-host";
import { type FakeTemplate, NOW } from "./fixtures";

const DAY = 86_400_000;
/** Reviews that started before this time are overdue. */
export const OVERDUE_BEFORE = NOW - DAY;
/** Templates that are archived until this time are at risk. */
export const RISK_UNTIL = NOW + 60 * DAY;

type Lists = Pick<
  Handlers,
  "list_templates" | "cancel_refresh" | "get_language_matrix" | "get_list_views" | "save_list_views"
>;

export function listHandlers(templates: FakeTemplate[]): Lists {
  const views = new Map<string, ListViews>();
  const rows = () => templates.map(({ row }) => row);
  return {
    list_templates: (query) => listTemplates(rows(), query),
    cancel_refresh: () => ({}),
    get_language_matrix: (query) => languageMatrix(rows(), query),
    get_list_views: ({ workspace }) => structuredClone(views.get(workspace) ?? { last: {}, saved: [] }),
    save_list_views: ({ workspace, views: next }) => {
      const wrong = next.saved.findIndex(({ name }) => name.trim() === "" || name.length > 60);
      if (wrong >= 0) refusal({ code: "invalidInput", field: `saved/${wrong}/name`, message: "Enter a name." });
      views.set(workspace, structuredClone(next));
      return next;
    },
  };
}

/** The templates that a bulk action or an export selects. */
export function targeted(templates: readonly FakeTemplate[], target: TemplateTarget): FakeTemplate[] {
  if (target.kind === "references") return templates.filter(({ row }) => target.references.includes(row.reference));
  return templates.filter(({ row }) => fits(row, target.query));
}

export function listTemplates(all: TemplateRow[], query: TemplateQuery): TemplatePage {
  const rows = all.filter((row) => fits(row, query));
  if (query.sort === "name") rows.sort((a, b) => a.name.localeCompare(b.name));
  const counted = all.filter((row) => query.archived == null || (row.archived === true) === query.archived);
  return {
    rows: rows.slice(query.offset, query.offset + query.limit),
    differing: {},
    flagged: {},
    total: rows.length,
    all: all.length,
    asOf: NOW,
    kept: 0,
    riskUntil: RISK_UNTIL,
    facets: {
      statuses: countBy(counted.map((row) => row.status)),
      categories: countBy(counted.map((row) => row.category)),
      languages: countBy(counted.map((row) => row.language)),
      wabas: countBy(counted.flatMap((row) => row.wabas)),
      businesses: countBy(counted.map((row) => row.businessId ?? "")),
      kinds: countBy(counted.map((row) => row.kind ?? "")),
      qualities: countBy(counted.map((row) => row.quality ?? "")),
      headers: countBy(counted.map((row) => row.header ?? "NONE")),
      archived: all.filter((row) => row.archived).length,
      carousels: counted.filter((row) => row.carousel).length,
      samples: counted.filter((row) => row.sample).length,
      categoryChanged: counted.filter((row) => row.askedCategory != null).length,
    },
  };
}

function fits(row: TemplateRow, query: TemplateQuery): boolean {
  const words = (query.search ?? "").toLowerCase();
  const includes = (values: string[], ...own: string[]) =>
    values.length === 0 || own.some((one) => values.includes(one));
  const is = (wanted: boolean | null | undefined, own: boolean) => wanted == null || own === wanted;
  const sent = row.lastSentAt ?? 0;
  return (
    `${row.name} ${row.excerpt}`.toLowerCase().includes(words) &&
    includes(query.statuses, row.status) &&
    includes(query.categories, row.category) &&
    includes(query.languages, row.language) &&
    includes(query.wabas, ...row.wabas) &&
    includes(query.businesses, row.businessId ?? "") &&
    includes(query.kinds, row.kind ?? "") &&
    includes(query.qualities, row.quality ?? "") &&
    includes(query.headers, row.header ?? "NONE") &&
    is(query.carousel, row.carousel) &&
    is(query.categoryChanged, row.askedCategory != null) &&
    is(query.samples, row.sample) &&
    is(query.archived, row.archived === true) &&
    (query.overdue !== true || isOverdue(row)) &&
    (query.atRisk !== true || isAtRisk(row, RISK_UNTIL)) &&
    (query.sentWithinDays == null || sent >= NOW - query.sentWithinDays * DAY) &&
    (query.notSentForDays == null || sent < (query.notSentForDays === 0 ? 1 : NOW - query.notSentForDays * DAY))
  );
}

function isOverdue({ status, archived, stateSince }: TemplateRow): boolean {
  return status === "PENDING" && !archived && stateSince != null && stateSince < OVERDUE_BEFORE;
}

function languageMatrix(all: TemplateRow[], { query, onlyIncomplete, onlyDifferent }: MatrixQuery) {
  const fitting = all.filter((row) => fits(row, query));
  const languages = countBy(fitting.map(({ language }) => language));
  const rows = groupBy(fitting, ({ name }) => name)
    .map(([name, templates]) => matrixRow(name, templates))
    .filter(
      ({ cells }) =>
        (!onlyIncomplete || cells.length < languages.length) &&
        (!onlyDifferent || cells.some(({ differences }) => differences.length > 0)),
    );
  return { rows: rows.slice(query.offset, query.offset + query.limit), names: rows.length, languages, asOf: NOW };
}

/** Differences of the second language of every name: fewer variables, and no buttons. */
const DIFFERENCES: LanguageDifference[] = [
  { kind: "variables", place: "/components/1/text", expected: "2 variables: {{1}} {{2}}", found: "1 variable: {{1}}" },
  { kind: "buttons", place: "/components", expected: "3 buttons: URL, QUICK_REPLY, QUICK_REPLY", found: "" },
];

function matrixRow(name: string, templates: TemplateRow[]): MatrixRow {
  const byLanguage = groupBy(templates, ({ language }) => language);
  return {
    name,
    base: templates[0]?.reference ?? null,
    cells: byLanguage.map(([language, own], index) => ({
      language,
      templates: own,
      differences: index === 1 ? DIFFERENCES : [],
    })),
  };
}
