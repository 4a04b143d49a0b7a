// Longer answers of the fake host.

import type {
  Facet,
  KeyringState,
  TemplatePage,
  TemplateQuery,
  TemplateRow,
  TemplateVersion,
  Workspace,
} from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";
import { bubbleOf } from "./fake-render";
import { type FakeTemplate, NOW } from "./fixtures";

export function workspace(id: string, name: string, sandbox: boolean, keyring: KeyringState["state"]): Workspace {
  // What a locked or failing keyring holds cannot be known.
  const stored =
    !sandbox && keyring === "locked" ? "locked" : !sandbox && keyring === "unavailable" ? "unreadable" : "keyring";
  const place = !sandbox && keyring === "missing" ? "absent" : stored;
  const empty = place === "keyring" ? "absent" : place;
  return {
    id,
    sandbox,
    settings: {
      name,
      baseUrl: sandbox ? "http://127.0.0.1:43111" : "https://provider.example",
      channel: "messaging",
      messagingProduct: "",
      workspaceUuid: "7d9b2f5e-31a4-4a9e-9d54-0c9e4f0b1c77",
      credentialKind: "bearer",
      clientId: "",
      numbers: [{ id: "108001", label: "Main number" }],
      businessId: "",
      wabaIds: ["102290129340398", "102290129340411"],
      wabaField: "waba_ids",
    },
    secrets: [
      { kind: "token", place },
      { kind: "clientSecret", place: empty },
      { kind: "webhookSecret", place },
      { kind: "previousWebhookSecret", place: empty },
      { kind: "verifyToken", place: empty },
    ],
    webhookPath: `/webhook/${id}`,
  };
}

export function listTemplates(all: TemplateRow[], query: TemplateQuery): TemplatePage {
  const words = (query.search ?? "").toLowerCase();
  const rows = all.filter(
    (row) =>
      (words === "" || `${row.name} ${row.excerpt}`.toLowerCase().includes(words)) &&
      (!query.status || row.status === query.status) &&
      (!query.category || row.category === query.category) &&
      (!query.language || row.language === query.language) &&
      (!query.waba || row.wabas.includes(query.waba)) &&
      (query.archived === null || query.archived === undefined || row.archived === query.archived),
  );
  if (query.sort === "name") rows.sort((a, b) => a.name.localeCompare(b.name));
  const from = Number(query.after ?? 0);
  const to = from + query.limit;
  return {
    rows: rows.slice(from, to),
    next: to < rows.length ? String(to) : null,
    asOf: NOW,
    total: all.length,
    facets: {
      statuses: countBy(all.map((row) => row.status)),
      categories: countBy(all.map((row) => row.category)),
      languages: countBy(all.map((row) => row.language)),
      wabas: countBy(all.flatMap((row) => row.wabas)),
      archived: all.filter((row) => row.archived).length,
    },
  };
}

/** What the review says about the body, and the rule that explains it. */
export function rejectionGuidance({ components }: Template): Finding[] {
  const path = `/components/${components.findIndex(({ type }) => type === "BODY")}/text`;
  const source = "https://developers.facebook.com/docs/whatsapp";
  return [
    {
      code: "rejected.invalid_format",
      severity: "error",
      path,
      message: ADVICE,
      values: { advice: ADVICE, reason: "", word: "INVALID_FORMAT" },
      source,
      fixable: false,
    },
    {
      code: "variable.at_edge",
      severity: "error",
      path,
      message: "The body begins with a variable. Put a word before it.",
      values: { name: "1" },
      source,
      fixable: true,
    },
  ];
}

export const ADVICE = "Variables must not stand at the beginning or the end of the body. Add words around them.";

/** Two attempts: the present content, and one before with another word in the body. */
export function fakeVersions({ row, template }: FakeTemplate): TemplateVersion[] {
  const before = structuredClone(template);
  before.category = "UTILITY";
  const texts = { before: "", after: "" };
  for (const component of before.components) {
    if (component.type !== "BODY" || component.text === undefined) continue;
    texts.after = component.text;
    component.text = `Dear customer, ${component.text}`;
    texts.before = component.text;
  }
  const isRejected = row.status === "REJECTED";
  return [
    {
      id: `${row.reference}-2`,
      at: row.updatedAt,
      origin: "edited",
      template,
      bubble: bubbleOf(template.components),
      outcome: ["APPROVED", "REJECTED"].includes(row.status) ? row.status : null,
      reason: row.rejectedReason ?? null,
      advice: isRejected ? ADVICE : null,
      changes: [
        { path: "/category", before: "UTILITY", after: row.category, words: [] },
        {
          path: "/components/BODY/text",
          before: texts.before,
          after: texts.after,
          words: [
            { kind: "removed", text: "Dear customer, " },
            { kind: "same", text: texts.after },
          ],
        },
        { path: "/components/BUTTONS/0/text", before: null, after: "Shop the sale", words: [] },
      ],
    },
    {
      id: `${row.reference}-1`,
      at: row.updatedAt - 86_400_000,
      origin: "submitted",
      template: before,
      bubble: bubbleOf(before.components),
      outcome: "REJECTED",
      reason: "TAG_CONTENT_MISMATCH",
      advice: null,
      changes: [],
    },
  ];
}

export function countBy(values: string[]): Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

export const THUMBNAIL =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='160' height='90'%3E%3Crect width='160' height='90' fill='%23ffd8a8'/%3E%3Ccircle cx='120' cy='30' r='16' fill='%23ff922b'/%3E%3Cpath d='M0 90 50 40l30 30 25-20 55 40z' fill='%2338d9a9'/%3E%3C/svg%3E";
