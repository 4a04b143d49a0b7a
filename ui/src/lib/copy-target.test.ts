import { expect, it } from "vitest";
import { getCopyTarget, setCopyTarget } from "./copy-target";

it("keeps what was chosen last, for its own workspace only", () => {
  expect(getCopyTarget("one")).toBeUndefined();
  setCopyTarget("one", { kind: "references", references: ["a"] });
  setCopyTarget("one", { kind: "references", references: ["a", "b"] });
  // Asked twice: a screen may be drawn again.
  expect(getCopyTarget("one")).toEqual({ kind: "references", references: ["a", "b"] });
  expect(getCopyTarget("one")).toEqual({ kind: "references", references: ["a", "b"] });
  expect(getCopyTarget("another")).toBeUndefined();
});
