import { renderHook, waitFor } from "@testing-library/react";
import { afterAll, expect, it } from "vitest";
import { showLanguage } from "@/lib/i18n/i18n";
import { useDecimalSeparator } from "./use-decimal-separator";

afterAll(() => showLanguage("en"));

it.each([
  ["en", "."],
  ["pt-BR", ","],
  ["es", ","],
] as const)("writes half a second as %s does", async (language, separator) => {
  await showLanguage(language);
  const { result } = renderHook(() => useDecimalSeparator());
  await waitFor(() => expect(result.current).toBe(separator));
});
