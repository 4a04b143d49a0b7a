import { describe, expect, it } from "vitest";
import { draftOf, formField, isChanged, PRESETS, presetOf, requestOf } from "./workspace-draft";

describe("a workspace in the form", () => {
  it("sends no empty rows and no secret that was left alone", () => {
    const draft = draftOf();
    draft.settings.name = "Acme";
    draft.settings.wabaIds = ["", "1", "  ", "2"];
    draft.settings.numbers = [
      { id: "", label: "" },
      { id: "108", label: "" },
    ];
    draft.secrets.token.typed = "secret";
    draft.secrets.verifyToken.remove = true;
    draft.secrets.webhookSecret.typed = "   ";
    const request = requestOf("w1", draft);
    expect(request.workspace).toBe("w1");
    expect(request.settings.wabaIds).toEqual(["1", "2"]);
    expect(request.settings.numbers).toEqual([{ id: "108", label: "" }]);
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
    ["baseUrl", "baseUrl"],
    ["token", "token"],
    ["/components/0/text", "/components/0/text"],
  ])("finds the row that the error %s is about: %s", (field, row) => {
    const draft = draftOf();
    draft.settings.wabaIds = ["", "1", "  ", "2x"];
    draft.settings.numbers = [
      { id: "", label: "" },
      { id: "", label: "Support" },
    ];
    expect(formField(field, draft)).toBe(row);
  });

  it("knows the presets by their words", () => {
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
    draft.settings.wabaIds.push("");
    expect(isChanged(draft, stored)).toBe(false);
    draft.secrets.token.typed = "t";
    expect(isChanged(draft, stored)).toBe(true);
  });
});
