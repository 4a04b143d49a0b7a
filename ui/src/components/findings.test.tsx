import { renderHook } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "@/bindings/model";
import { showLanguage } from "@/lib/i18n/i18n";
import { useFindingText } from "./findings";

const finding = (code: string, values: Record<string, string>): Finding => ({
  code,
  severity: "error",
  path: "/components/0/text",
  message: "The rule's own words about {{1}}.",
  values,
  fixable: false,
  source: "contract §2.2",
});
const sentence = (it: Finding) => renderHook(() => useFindingText()).result.current(it);

describe("the sentence of a finding", () => {
  it("is the rule's own in English", () => {
    expect(sentence(finding("body.too_long", { length: "2000", limit: "1024" }))).toBe(
      "The rule's own words about {{1}}.",
    );
  });

  describe("in another language", () => {
    beforeAll(() => showLanguage("es"));
    afterAll(() => showLanguage("en"));

    it("has the numbers of the finding", () => {
      expect(sentence(finding("body.too_long", { length: "2000", limit: "1024" }))).toContain("2000 caracteres");
    });

    it("writes variables in their braces, and what was typed as it was typed", () => {
      expect(sentence(finding("body.sample_missing", { name: "1" }))).toContain("ejemplo para {{1}}");
      expect(sentence(finding("variable.spaces", { name: "$t(openSource) {{x}}" }))).toContain(
        "`$t(openSource) {{x}}`",
      );
    });

    it("is the rule's own for a rule that is newer than the translation", () => {
      expect(sentence(finding("hologram.too_bright", {}))).toBe("The rule's own words about {{1}}.");
      expect(sentence(finding("provider", {}))).toBe("The rule's own words about {{1}}.");
    });
  });
});
