import { describe, expect, it } from "vitest";
import { scale } from "./bar-chart";

describe("the axis", () => {
  it.each([
    [0, [0, 1]],
    [Number.NaN, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 3, 6, 9, 12]],
    [371, [0, 100, 200, 300, 400]],
    [1_000_000, [0, 250_000, 500_000, 750_000, 1_000_000]],
  ])("up to %d has the steps %j", (highest, ticks) => {
    expect(scale(highest)).toEqual({ top: ticks.at(-1), ticks });
  });
});
