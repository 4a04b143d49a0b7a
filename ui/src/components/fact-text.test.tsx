import { renderHook } from "@testing-library/react";
import { afterAll, expect, it } from "vitest";
import { showLanguage } from "@/lib/i18n/i18n";
import { useFactText } from "./fact-text";

afterAll(() => showLanguage("en"));

it.each([
  ["en", "date", "December 5, 2026", "December 5, 2026"],
  ["pt-BR", "date", "December 5, 2026", "5 de dezembro de 2026"],
  ["es", "date", "December 5, 2026", "5 de diciembre de 2026"],
  ["es", "until", "March 31, 2027", "31 de marzo de 2027"],
  ["pt-BR", "date", "2026-12-05", "5 de dezembro de 2026"],
  // What is not surely a date stays as it came.
  ["pt-BR", "date", "May 1", "May 1"],
  ["pt-BR", "date", "February 30, 2026", "February 30, 2026"],
  ["pt-BR", "date", "5/12/2026", "5/12/2026"],
  ["pt-BR", "detail", "December 5, 2026", "December 5, 2026"],
] as const)("in %s, shows the %s %s as %s", async (language, label, value, shown) => {
  await showLanguage(language);
  const { result } = renderHook(() => useFactText());
  expect(result.current({ label, value }).value).toBe(shown);
});
