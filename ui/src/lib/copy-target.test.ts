import { expect, it } from "vitest";
import { getCopyTarget, setCopyTarget } from "./copy-target";

it("keeps what was chosen last, for its own workspace only", () => {
  expect(getCopyTarget("sandbox")).toBeUndefined();
  setCopyTarget("sandbox", { kind: "references", references: ["a"] });
  setCopyTarget("sandbox", { kind: "references", references: ["a", "b"] });
  // Asked twice: a screen may be drawn again.
  expect(getCopyTarget("sandbox")).toEqual({ kind: "references", references: ["a", "b"] });
  expect(getCopyTarget("sandbox")).toEqual({ kind: "references", references: ["a", "b"] });
  expect(getCopyTarget("acme")).toBeUndefined();
});
