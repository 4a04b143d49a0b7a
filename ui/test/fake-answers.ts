// Longer answers of the fake host.

import type { KeyringState, SecretPlace, TemplateVersion, Workspace } from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";
import { bubbleOf } from "./fake-render";
import type { FakeTemplate } from "./fixtures";

export function workspace(id: string, name: string, sandbox: boolean, keyring: KeyringState["state"]): Workspace {
  // What a locked or failing keyring holds cannot be known.
  const stored: SecretPlace =
    !sandbox && keyring === "locked" ? "locked" : !sandbox && keyring === "unavailable" ? "unreadable" : "keyring";
  const place: SecretPlace = !sandbox && keyring === "missing" ? "absent" : stored;
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
      numbers: [
        { id: "108001", label: "Main number", wabaId: "102290129340398", ownWebhook: false },
        ...(sandbox ? [] : [{ id: "108002", label: "Support", wabaId: "102290129340411", ownWebhook: true }]),
      ],
      businessId: "",
      wabaIds: ["102290129340398", "102290129340411"],
      wabaField: "waba_ids",
      tokenExpiresOn: "",
      businessName: sandbox ? "" : "Acme Holding",
      wabaNames: sandbox ? {} : { "102290129340411": "Retail" },
      allowUnencrypted: false,
    },
    secrets: [
      { kind: "token", place },
      { kind: "clientSecret", place: empty },
      { kind: "webhookSecret", place },
      { kind: "previousWebhookSecret", place: empty },
      { kind: "verifyToken", place: empty },
      ...(sandbox ? [] : [{ kind: "webhookSecret" as const, number: "108002", place }]),
    ],
    webhookPath: `/webhook/${id}`,
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

/** Values with the same key beside each other, in the order in which the keys come. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string): [key: string, values: T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return [...groups];
}

export function countBy<T extends string>(values: T[]): { value: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

export const THUMBNAIL =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='160' height='90'%3E%3Crect width='160' height='90' fill='%23ffd8a8'/%3E%3Ccircle cx='120' cy='30' r='16' fill='%23ff922b'/%3E%3Cpath d='M0 90 50 40l30 30 25-20 55 40z' fill='%2338d9a9'/%3E%3C/svg%3E";
