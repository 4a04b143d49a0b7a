import { describe, expect, it } from "vitest";
import { resolveLanguage } from "./languages";

describe("the language shown", () => {
  it.each([
    ["es", ["de"], "es"],
    ["", ["pt-PT", "en"], "pt-BR"],
    ["", ["de-DE", "es-MX"], "es"],
    ["", ["de"], "en"],
    ["", [], "en"],
    ["xx", ["es"], "en"],
  ])("for %j on a system of %j is %s", (chosen, system, shown) => {
    expect(resolveLanguage(chosen, system)).toBe(shown);
  });
});
