import { describe, expect, it } from "vitest";
import { parseJson, stringifyJson } from "./exact-json";

describe("JSON with every digit", () => {
  it.each(["1e400", "0.1000000000000000055", "12345678901234567890123", "1.0", "-0", "9007199254740993", "1E5"])(
    "keeps %s",
    (number) => {
      const text = `{"a":[${number},"${number}"],"b":{"c":${number}}}`;
      const read = parseJson(text);
      expect(read).toEqual({ a: [{ $number: number }, number], b: { c: { $number: number } } });
      expect(stringifyJson(read)).toBe(text);
      expect(stringifyJson(parseJson(number))).toBe(number);
    },
  );

  it("reads and writes everything else like JSON", () => {
    const value = { a: [0, -1, 0.5, true, null], "5.0": '1.0 \\" 2.0', c: { $number: "5" }, d: { $number: "x" } };
    const text = JSON.stringify(value, null, 2);
    expect(parseJson(text)).toEqual(value);
    expect(stringifyJson(value, 2)).toBe(text);
    for (const wrong of ["", "{", "01", "[1.]", "{a: 1}"]) expect(() => parseJson(wrong)).toThrow(SyntaxError);
  });
});
