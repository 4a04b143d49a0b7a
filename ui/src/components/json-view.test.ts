import { describe, expect, it } from "vitest";
import { layOut } from "./json-view";

describe("laying out JSON", () => {
  it("changes white space only", () => {
    const text = '{"id":12345678901234567890,"n":1.0e2,"a":[],"o":{},"s":"a\\"b,{}","a":[1,{"x":null}]}';
    const laid = layOut(text);
    expect(laid.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    expect(laid).toContain("12345678901234567890");
    expect(laid.split("\n")).toContain('  "a": [],');
    expect(laid).toContain('      "x": null');
  });

  it("keeps white space inside strings", () => {
    expect(layOut('{"a" : "x  y" }')).toBe('{\n  "a": "x  y"\n}');
  });

  it("leaves alone what is no JSON", () => {
    for (const text of ["<html>no</html>", "", '{"a":'] as const) expect(layOut(text)).toBe(text);
  });
});
