import { expect, it } from "vitest";
import { fileFacts } from "./file-facts";

it.each([
  [{ size: 2_516_582 }, "en", "2.4 MB"],
  [{ size: 2_516_582, durationMs: null }, "pt-BR", "2,4 MB"],
  [{ size: 2_516_582, durationMs: 1 }, "en", "2.4 MB · 0:01"],
  [{ size: 2_516_582, durationMs: 12_000 }, "en", "2.4 MB · 0:12"],
  [{ size: 2_516_582, durationMs: 754_500 }, "es", "2,4 MB · 12:35"],
  [{ size: 2_516_582, durationMs: 3_723_000 }, "en", "2.4 MB · 1:02:03"],
])("describes %j in %s as %s", (file, language, text) => {
  expect(fileFacts(file, language)).toBe(text);
});
