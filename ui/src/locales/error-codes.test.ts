import { expect, it } from "vitest";
import en from "./en/errorCodes.json";
import es from "./es/errorCodes.json";
import ptBR from "./pt-BR/errorCodes.json";

type Texts = Record<string, { meaning: string; advice: string }>;

// `locales.test.ts` compares the codes of the languages; `error_code.rs` reads the English texts.
it.each([
  ["pt-BR", ptBR as Texts],
  ["es", es as Texts],
])("explains no code of the channel in English in %s", (_, texts) => {
  for (const [code, { meaning, advice }] of Object.entries(en as Texts)) {
    expect(texts[code]?.meaning, code).not.toBe(meaning);
    expect(texts[code]?.advice, code).not.toBe(advice);
  }
});
