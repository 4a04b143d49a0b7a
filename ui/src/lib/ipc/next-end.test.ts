import { describe, expect, it } from "vitest";
import { msToNextEnd } from "./next-end";

const HOUR = 60 * 60 * 1000;

describe("the wait until a notice ends", () => {
  it.each([
    ["none", undefined, false],
    ["one without an end", [{ endsAt: null }, {}], false],
    ["the first of several", [{ endsAt: 10 * HOUR }, { endsAt: 3 * HOUR }, { endsAt: null }], 2 * HOUR],
    ["those of numbers", [{ notices: [] }, { notices: [{ endsAt: 2 * HOUR }] }], HOUR],
    ["one that has just ended", [{ endsAt: HOUR - 1 }], 500],
    ["one that ends in months", [{ endsAt: 9999 * HOUR }], 24 * HOUR],
  ])("%s", (_, notices, expected) => {
    expect(msToNextEnd(notices, HOUR)).toBe(expected);
  });
});
