import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { RefusedDelivery, RefusedDetail } from "@/bindings/app";
import type { Change, Diagnosis, Edge, Fault, Reason } from "@/bindings/receiver";
import { LANGUAGES } from "@/lib/i18n/languages";
import { namespaces as en } from "@/locales/en";
import { namespaces as es } from "@/locales/es";
import { namespaces as ptBR } from "@/locales/pt-br";

const REASONS = [
  "hostNotAllowed",
  "browserOrigin",
  "unknownPath",
  "methodNotAllowed",
  "malformedHandshake",
  "verifyTokenMismatch",
  "noVerifyToken",
  "bodyTooLarge",
  "bodyTimeout",
  "bodyBroken",
  "secretsUnread",
  "busy",
  "storage",
  "storageTimeout",
];

/** Every word the doctor may say; a new one fails to compile here until it has its texts. */
const WORDS = {
  change: {
    reserialised: true,
    newlineAdded: true,
    newlineRemoved: true,
    lineEndings: true,
    bomAdded: true,
    bomRemoved: true,
    charsetChanged: true,
    compressed: true,
  } satisfies Record<Change, true>,
  edge: {
    ownBlanks: true,
    ownQuotes: true,
    senderNewline: true,
    senderBlank: true,
    senderQuotes: true,
  } satisfies Record<Edge, true>,
  fault: {
    empty: true,
    quotes: true,
    missingPrefix: true,
    otherPrefix: true,
    base64: true,
    notHex: true,
  } satisfies Record<Fault, true>,
};

const DOCTOR = { en: en.doctor, "pt-BR": ptBR.doctor, es: es.doctor };

describe.each(LANGUAGES)("the texts of the doctor in %s", (language) => {
  it.each(Object.keys(WORDS) as (keyof typeof WORDS)[])("say every %s", (group) => {
    const texts = (DOCTOR[language] as Record<string, object>)[group];
    expect(Object.keys(texts ?? {}).sort()).toEqual(Object.keys(WORDS[group]).sort());
  });
});

const row = (reason: string, diagnosis: Diagnosis, id = reason): RefusedDelivery => ({
  id,
  at: 1_700_000_000_000,
  workspace: "acme",
  path: `/webhook/${id}`,
  status: 401,
  reason: reason as Reason,
  size: 12,
  excerpt: "",
  diagnosis,
});

const detail = (diagnosis: Diagnosis): RefusedDetail => ({
  row: row("mismatch", diagnosis, "r1"),
  method: "POST",
  host: "hooks.acme.example",
  peer: "127.0.0.1:50412",
  headers: [],
  body: "{}",
  bodyBase64: btoa("{}"),
  kept: 2,
});

describe("refused deliveries", () => {
  it("say for every other reason why they were refused and what to do", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_refused_deliveries", () =>
      [...REASONS, "somethingNew"].map((reason) => row(reason, { kind: "plain" })),
    );
    renderApp("/activity?view=refused", host);
    await screen.findByRole("row", { name: /Rejected: somethingNew/ });
    for (const reason of REASONS) {
      const found = screen.getByRole("row", { name: new RegExp(`/webhook/${reason}$`) });
      expect(found.getAttribute("aria-label")).not.toContain("Refused:");
    }
  });

  it.each<[string, Diagnosis, RegExp, boolean]>([
    [
      "a changed body",
      { kind: "bodyChanged", change: "reserialised", secret: "current" },
      /Whitespace or escapes/,
      false,
    ],
    ["an incomplete body", { kind: "bodyCut" }, /its end is missing/, false],
    ["a different secret", { kind: "otherSecret", tried: ["current"] }, /We tried the webhook secret/, true],
    ["no secret", { kind: "noSecret" }, /Enter the secret your provider signs with/, true],
    [
      "a secret written differently",
      { kind: "secretEdges", edge: "ownBlanks", secret: "current" },
      /has spaces or a line break/,
      true,
    ],
    [
      "another workspace's secret",
      { kind: "otherRoute", workspace: "acme", secret: "current" },
      /one of “Acme Retail”/,
      false,
    ],
    ["a different algorithm", { kind: "wrongAlgorithm", secret: "current" }, /HMAC-SHA1/, false],
    [
      "another header",
      { kind: "noHeader", otherHeader: "x-signature", secret: "current" },
      /X-Hub-Signature-256 header\. x-signature/,
      false,
    ],
    ["a malformed header", { kind: "wrongForm", faults: ["base64"], secret: "current" }, /digest is in base64/, false],
    ["a body not kept", { kind: "bodyNotKept" }, /too long to keep in full/, false],
    ["a corrected secret", { kind: "valid", by: "current" }, /matches the webhook secret/, false],
  ])("explain %s, and lead to the secret where it is the cause", async (_, diagnosis, words, leads) => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_refused_deliveries", () => [row("mismatch", diagnosis, "r1")]);
    host.answer("get_refused_delivery", () => detail(diagnosis));
    const { user } = renderApp("/activity?view=refused", host);
    await user.click(await screen.findByRole("row"));
    const found = within(await screen.findByRole("region", { name: "Diagnosis" }));
    expect(found.getByText(words)).toBeTruthy();
    expect(found.getByText("What to do")).toBeTruthy();
    expect(found.queryByRole("link", { name: "Settings of Acme Retail" }) !== null).toBe(leads);
    const details = await screen.findByRole("link", { name: "Technical details" });
    expect(details.getAttribute("href")).toContain("section=support&refused=r1");
  });

  it("lead to the keyring where it could not be read", async () => {
    const host = createFakeHost({ templates: 40 });
    const refused = detail({ kind: "plain" });
    refused.row.reason = "secretsUnread";
    host.answer("get_refused_delivery", () => refused);
    renderApp("/activity?view=refused&refused=r1", host);
    expect(await screen.findByRole("link", { name: "Secrets and keyring" })).toBeTruthy();
  });

  it("say that they are gone when the app has forgotten them", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_refused_delivery", () => refusal({ code: "notFound", what: "r9" }));
    renderApp("/activity?view=refused&refused=r9", host);
    expect(await screen.findByText(/This delivery is no longer available/)).toBeTruthy();
  });
});
