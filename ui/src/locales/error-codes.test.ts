import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "./en/errorCodes.json";
import es from "./es/errorCodes.json";
import ptBR from "./pt-BR/errorCodes.json";

// Tests run in the folder of the window.
const TABLE = "../src-tauri/crates/model/src/error_code.rs";

/** The rows of `ERROR_CODES`, as they are written. */
function rowsOfTable(): [string, { meaning: string; advice: string }][] {
  const source = readFileSync(TABLE, "utf8").split("const fn row")[0] ?? "";
  const rows = source.matchAll(/row\(\s*([\d_]+),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",\s*Retry::/g);
  return [...rows].map(([, code = "", meaning = "", advice = ""]) => [code.replaceAll("_", ""), { meaning, advice }]);
}

describe("codes of the channel", () => {
  const table = rowsOfTable();

  it("say in English what the table says", () => {
    expect(table.length).toBeGreaterThan(80);
    expect(en).toEqual(Object.fromEntries(table));
  });

  it.each([
    ["pt-BR", ptBR],
    ["es", es],
  ])("are all explained in %s, none in English", (_, texts) => {
    const entries = new Map(Object.entries(texts as Record<string, { meaning: string; advice: string }>));
    expect([...entries.keys()].sort()).toEqual(table.map(([code]) => code).sort());
    for (const [code, { meaning, advice }] of table) {
      expect(entries.get(code)?.meaning, code).not.toBe(meaning);
      expect(entries.get(code)?.advice, code).not.toBe(advice);
    }
  });
});
