// Shared answers of the fake host.

import type { KeyringState, SecretPlace, TemplateVersion, Workspace } from "@/bindings/app";
import type { Template } from "@/bindings/model";
import type { FakeTemplate } from "./fixtures";
import { compare, render } from "./rules";

export function workspace(id: string, name: string, sandbox: boolean, keyring: KeyringState["state"]): Workspace {
  // Without access to the keyring, it is unknown which secrets it has.
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
      defaultCountry: sandbox ? "BR" : "",
      takesUserIds: sandbox,
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

export const ADVICE = "Variables can't be at the beginning or the end of the body. Add words around them.";

/** The content of an earlier version: another category, other words in the body, no buttons. */
export function earlierContent({ template }: FakeTemplate): Template {
  const earlier = structuredClone(template);
  earlier.category = "UTILITY";
  earlier.components = earlier.components.filter(({ type }) => type !== "BUTTONS");
  for (const component of earlier.components) {
    if (component.type === "BODY" && component.text !== undefined) component.text = `Dear customer, ${component.text}`;
  }
  return earlier;
}

/** The current version and an earlier one. */
export async function fakeVersions(found: FakeTemplate): Promise<TemplateVersion[]> {
  const { row, template } = found;
  const earlier = earlierContent(found);
  const at = row.updatedAt ?? 0;
  return [
    {
      id: `${row.reference}-2`,
      at,
      origin: "edited",
      template,
      bubble: await render(template),
      outcome: ["APPROVED", "REJECTED"].includes(row.status) ? row.status : null,
      reason: row.rejectedReason ?? null,
      advice: row.status === "REJECTED" ? ADVICE : null,
      changes: await compare(earlier, template),
    },
    {
      id: `${row.reference}-1`,
      at: at - 86_400_000,
      origin: "submitted",
      template: earlier,
      bubble: await render(earlier),
      outcome: "REJECTED",
      reason: "TAG_CONTENT_MISMATCH",
      advice: null,
      changes: [],
    },
  ];
}

/** Groups values by key, in the order in which the keys first appear. */
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
