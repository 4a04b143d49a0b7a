// What templates are narrowed to. One grammar serves the address, what is remembered, and text that people share:
// `status:REJECTED,PAUSED language:pt_BR carousel:yes sent:never "black friday"`.

import type { TemplateQuery } from "@/bindings/app";

/** Filters of which a template has to fit any value; by their word, with their name in the question to the host. */
export const LISTS = {
  status: "statuses",
  category: "categories",
  language: "languages",
  waba: "wabas",
  business: "businesses",
  type: "kinds",
  quality: "qualities",
  header: "headers",
} as const;
export type ListKey = keyof typeof LISTS;
export const LIST_KEYS = Object.keys(LISTS) as ListKey[];

/** Filters with a few fixed values. */
const CHOICES = {
  carousel: ["yes", "no"],
  changed: ["yes", "no"],
  samples: ["yes", "no"],
  /** In review for longer than is usual. */
  overdue: ["yes"],
  /** Soon archived or deleted by the channel. */
  risk: ["yes"],
  archived: ["only", "all"],
  /** Of names with all their languages. */
  incomplete: ["yes"],
  different: ["yes"],
  sort: ["name"],
  /** Columns of the review board. */
  lanes: ["account"],
} as const;
type ChoiceKey = keyof typeof CHOICES;

export type FilterKey = ListKey | ChoiceKey | "sent";
export const FILTER_KEYS = [
  ...LIST_KEYS,
  "carousel",
  "changed",
  "samples",
  "overdue",
  "risk",
  "sent",
  "archived",
] as const;
/** Those that say how a list is shown, rather than what is in it. */
const VIEW_KEYS = ["incomplete", "different", "sort", "lanes"] as const;
export const ADDRESS_KEYS = ["q", ...FILTER_KEYS, ...VIEW_KEYS] as const;

/** A filter as the address has it: `q` are words, the rest is written as in the text. */
export type TemplateFilter = { [K in FilterKey | "q"]?: string };

/** Whether the filter excludes any template. */
export function isFiltered(filter: TemplateFilter): boolean {
  return ["q" as const, ...FILTER_KEYS].some((key) => filter[key] !== undefined);
}

/** The filter without empty parts, so that equal filters have equal addresses. */
export function cleanFilter(filter: TemplateFilter): TemplateFilter {
  return Object.fromEntries(
    ADDRESS_KEYS.flatMap((key) => {
      const value = filter[key];
      return value === undefined || value === "" ? [] : [[key, value]];
    }),
  );
}

/** The values of a filter that accepts several. `?` means "unknown". */
export function valuesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  return readList(text, 0).values;
}

export function writeValues(values: readonly string[]): string {
  return values.map((value) => (value === "" ? "?" : quoted(value, /[\s",\\]|^\?$/))).join(",");
}

/** When a template was last sent: in the last days, not for so many days, or never. */
export type LastSent = { within: number } | { notFor: number };

/** Reads `30d`, `>30d` and `never`; days from 1 to 9999. */
export function readLastSent(text: string | undefined): LastSent | undefined {
  if (text === "never") return { notFor: 0 };
  const [, older, days] = /^(>?)([1-9]\d{0,3})d$/.exec(text ?? "") ?? [];
  if (days === undefined) return undefined;
  return older ? { notFor: Number(days) } : { within: Number(days) };
}

export function writeLastSent(sent: LastSent): string {
  if ("within" in sent) return `${sent.within}d`;
  return sent.notFor === 0 ? "never" : `>${sent.notFor}d`;
}

/** The filter as text that can be shared. */
export function writeFilter(filter: TemplateFilter): string {
  const { q } = filter;
  const terms = ADDRESS_KEYS.flatMap((key) => {
    const value = key === "q" ? undefined : filter[key];
    return value === undefined || value === "" ? [] : [`${key}:${value}`];
  });
  return q === undefined || q === "" ? terms.join(" ") : [...terms, quoted(q, /[\s":\\]/)].join(" ");
}

/** Reads such a text. What is no filter are words to search for. */
export function readFilter(text: string): TemplateFilter {
  const filter: TemplateFilter = {};
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const term = readTerm(text, at);
    if (term) {
      filter[term.key] = term.value;
      at = term.end;
    } else {
      const word = readWord(text, at, /\s/);
      words.push(word.text);
      at = word.end;
    }
  }
  const q = words.join(" ");
  return q === "" ? filter : { ...filter, q };
}

/** Whether a text to be searched for holds filters. */
export function holdsFilter(text: string): boolean {
  const { q: _, ...rest } = readFilter(text);
  return Object.keys(rest).length > 0;
}

/** Asks the host for what the filter says; of all templates where there is none. */
export function templateQuery(workspace: string, filter: TemplateFilter): Omit<TemplateQuery, "offset" | "limit"> {
  const sent = readLastSent(filter.sent);
  return {
    workspace,
    search: filter.q ?? null,
    statuses: valuesOf(filter.status),
    categories: valuesOf(filter.category),
    languages: valuesOf(filter.language),
    wabas: valuesOf(filter.waba),
    businesses: valuesOf(filter.business),
    kinds: valuesOf(filter.type),
    qualities: valuesOf(filter.quality),
    headers: valuesOf(filter.header),
    carousel: answer(filter.carousel),
    categoryChanged: answer(filter.changed),
    samples: answer(filter.samples),
    overdue: answer(filter.overdue),
    atRisk: answer(filter.risk),
    sentWithinDays: sent && "within" in sent ? sent.within : null,
    notSentForDays: sent && "notFor" in sent ? sent.notFor : null,
    archived: filter.archived === "all" ? null : filter.archived === "only",
    sort: filter.sort === "name" ? "name" : "newest",
  };
}

function answer(word: string | undefined): boolean | null {
  return word === "yes" ? true : word === "no" ? false : null;
}

function readTerm(text: string, start: number): { key: FilterKey; value: string; end: number } | undefined {
  const colon = text.indexOf(":", start);
  if (colon < 0) return undefined;
  const key = text.slice(start, colon).toLowerCase();
  if (isListKey(key)) {
    const { values, end } = readList(text, colon + 1);
    return values.length === 0 ? undefined : { key, value: writeValues(values), end };
  }
  const { text: value, end } = readWord(text, colon + 1, /\s/);
  const word = value.toLowerCase();
  if (key === "sent") return readLastSent(word) ? { key, value: word, end } : undefined;
  return isChoiceKey(key) && (CHOICES[key] as readonly string[]).includes(word) ? { key, value: word, end } : undefined;
}

const isListKey = (key: string): key is ListKey => Object.hasOwn(LISTS, key);
const isChoiceKey = (key: string): key is ChoiceKey => Object.hasOwn(CHOICES, key);

/** Values separated by commas, up to the next space. */
function readList(text: string, start: number): { values: string[]; end: number } {
  const values: string[] = [];
  let at = start;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    const isQuoted = text.charAt(at) === '"';
    const { text: value, end } = readWord(text, at, /[\s,]/);
    const meant = value === "?" && !isQuoted ? "" : value;
    if ((value !== "" || isQuoted) && !values.includes(meant)) values.push(meant);
    at = text.charAt(end) === "," ? end + 1 : end;
  }
  return { values, end: at };
}

/** A word up to what ends it; within quotation marks everything belongs to it, and `\` takes the next sign as it is. */
function readWord(text: string, start: number, ends: RegExp): { text: string; end: number } {
  let word = "";
  let at = start;
  let inside = false;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (inside && sign === "\\" && at + 1 < text.length) {
      word += text.charAt(at + 1);
      at += 2;
      continue;
    }
    if (!inside && ends.test(sign)) break;
    if (sign === '"') inside = !inside;
    else word += sign;
    at += 1;
  }
  return { text: word, end: at };
}

function quoted(value: string, needs: RegExp): string {
  return needs.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value;
}
