import { describe, expect, it } from "vitest";
import { stretchesOf } from "./comparison-panel";
import { filterOf, withFilters } from "./filter";

describe("the filter", () => {
  it("asks for nothing where the address names nothing, or a time that is none", () => {
    expect(filterOf("acme", { from: "soon" })).toEqual({
      workspace: "acme",
      kind: null,
      status: null,
      number: null,
      template: null,
      contact: null,
      search: null,
      from: null,
      to: null,
    });
  });

  it("keeps what is open when filters change, and leaves empty ones out", () => {
    expect(withFilters({ event: "e1", kind: "status", q: "x" }, { kind: undefined, q: "", contact: "1" })).toEqual({
      event: "e1",
      contact: "1",
    });
  });
});

describe("lines of a comparison", () => {
  const lines = (text: string) =>
    [...text].map((sign, index) => ({
      change: sign === "-" ? ("removed" as const) : sign === "+" ? ("added" as const) : ("same" as const),
      text: `${index}`,
    }));
  const shape = (text: string) => stretchesOf(lines(text)).map(({ folded, lines: { length } }) => [folded, length]);

  it("fold what is equal and far from any change", () => {
    expect(shape("          -+          ")).toEqual([
      [true, 7],
      [false, 8],
      [true, 7],
    ]);
  });

  it("keep everything near changes, and never fold a single line", () => {
    expect(shape("- +")).toEqual([[false, 3]]);
    expect(shape("-       +")).toEqual([
      [false, 4],
      [false, 1],
      [false, 4],
    ]);
  });

  it("fold all where nothing differs", () => {
    expect(shape("     ")).toEqual([[true, 5]]);
  });
});
