import { renderHook } from "@testing-library/react";
import { afterAll, describe, expect, it } from "vitest";
import type { NumberKind } from "@/bindings/app";
import { showLanguage } from "@/lib/i18n/i18n";
import { useProblemText } from "./send-problem-text";

afterAll(() => showLanguage("en"));

const KINDS = Object.keys({
  mobile: true,
  fixedLine: true,
  fixedLineOrMobile: true,
  tollFree: true,
  premiumRate: true,
  sharedCost: true,
  voip: true,
  personal: true,
  pager: true,
  uan: true,
  voicemail: true,
  unknown: true,
} satisfies Record<NumberKind, true>);

async function textOf(kind: string, language: "en" | "es" | "pt-BR") {
  await showLanguage(language);
  const { result } = renderHook(() => useProblemText());
  return result.current({ field: "to", code: "to.kind", severity: "warning", values: { kind }, message: "" });
}

describe("a number that is no mobile", () => {
  it.each([
    ["fixedLine", "en", /^This looks like a landline, not a mobile\. /],
    ["unknown", "en", /^This looks like a number outside all known ranges, not a mobile\. /],
    ["fixedLine", "es", /^Parece un teléfono fijo, no un móvil\. /],
    ["fixedLine", "pt-BR", /^Parece um telefone fixo, não um celular\. /],
  ] as const)("of the kind %s is called that in %s", async (kind, language, text) => {
    expect(await textOf(kind, language)).toMatch(text);
  });

  it.each([
    ["en", /^This looks like an? /],
    ["es", /^Parece un /],
    ["pt-BR", /^Parece um /],
  ] as const)("is named with an article, whatever its kind, in %s", async (language, start) => {
    for (const kind of KINDS) expect(await textOf(kind, language)).toMatch(start);
  });
});
