import { describe, expect, it } from "vitest";
import {
  draftOf,
  formField,
  isChanged,
  newNumber,
  newWaba,
  PRESETS,
  presetOf,
  requestOf,
  secretPlace,
} from "./workspace-draft";

describe("a workspace in the form", () => {
  it("sends no empty rows and no secret that was left alone", () => {
    const draft = draftOf();
    draft.settings.name = "Acme";
    draft.wabas = ["", "1", "  ", "2"].map((id) => ({ id, name: id === "2" ? "Shop" : "" }));
    draft.numbers = [newNumber(), { ...newNumber(), id: "108" }];
    draft.secrets.token.typed = "secret";
    draft.secrets.verifyToken.remove = true;
    draft.secrets.webhookSecret.typed = "   ";
    const request = requestOf("w1", draft);
    expect(request.workspace).toBe("w1");
    expect(request.settings.wabaIds).toEqual(["1", "2"]);
    expect(request.settings.wabaNames).toEqual({ "2": "Shop" });
    expect(request.settings.numbers).toEqual([{ id: "108", label: "", wabaId: "", ownWebhook: false }]);
    expect(request.secrets).toEqual([
      { kind: "token", value: "secret" },
      { kind: "verifyToken", value: "" },
    ]);
    expect(request.sessionOnly).toBe(false);
  });

  it.each([
    ["wabaIds/0", "wabaIds/1"],
    ["wabaIds/1", "wabaIds/3"],
    ["wabaIds/9", "wabaIds/9"],
    ["numbers/0/id", "numbers/1/id"],
    ["numbers/0/webhookSecret", "numbers/1/webhookSecret"],
    ["baseUrl", "baseUrl"],
    ["token", "token"],
    ["/components/0/text", "/components/0/text"],
  ])("finds the row that the error %s is about: %s", (field, row) => {
    const draft = draftOf();
    draft.wabas = ["", "1", "  ", "2x"].map((id) => ({ id, name: "" }));
    draft.numbers = [newNumber(), { ...newNumber(), label: "Support" }];
    expect(formField(field, draft)).toBe(row);
  });

  it("recognizes the presets by their values", () => {
    const { settings } = draftOf();
    expect(presetOf(settings)).toBe("messaging");
    expect(presetOf({ ...settings, ...PRESETS.whatsapp })).toBe("whatsapp");
    expect(presetOf({ ...settings, channel: "whatsapp" })).toBe("whatsapp");
    expect(presetOf({ ...settings, channel: "" })).toBe("messaging");
    expect(presetOf({ ...settings, messagingProduct: "other" })).toBe("custom");
    expect(presetOf({ ...settings, channel: "sms" })).toBe("custom");
  });

  it("is changed by what is typed, not by an empty row", () => {
    const stored = draftOf();
    const draft = draftOf();
    draft.wabas.push(newWaba());
    expect(isChanged(draft, stored)).toBe(false);
    draft.secrets.token.typed = "t";
    expect(isChanged(draft, stored)).toBe(true);
  });

  it("sends the secrets of a number that has an endpoint of its own, and of no other", () => {
    const draft = draftOf();
    const own = newNumber();
    own.secrets.webhookSecret.typed = "s";
    own.secrets.verifyToken.remove = true;
    draft.numbers = [
      { ...own, id: " 108 ", ownWebhook: true },
      { ...structuredClone(own), id: "109" },
    ];
    expect(requestOf("w1", draft).secrets).toEqual([
      { kind: "webhookSecret", number: "108", value: "s" },
      { kind: "verifyToken", number: "108", value: "" },
    ]);
  });

  it("keeps apart where the secrets of the workspace and of its numbers are", () => {
    const secrets = [
      { kind: "webhookSecret", place: "keyring" },
      { kind: "webhookSecret", number: "108", place: "session" },
    ] as const;
    expect(secretPlace(secrets, "webhookSecret", null)).toBe("keyring");
    expect(secretPlace(secrets, "webhookSecret", "108")).toBe("session");
    expect(secretPlace(secrets, "webhookSecret", "109")).toBe("absent");
  });

  it("shows the names of WABAs next to their identifiers", () => {
    const { settings, ...draft } = draftOf();
    const stored = draftOf({ ...settings, numbers: [], wabaIds: ["1", "2"], wabaNames: { "2": "Shop" } });
    expect(stored.wabas).toEqual([
      { id: "1", name: "" },
      { id: "2", name: "Shop" },
    ]);
    expect(stored.numbers).toEqual(draft.numbers);
  });
});
