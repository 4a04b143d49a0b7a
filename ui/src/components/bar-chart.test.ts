import { describe, expect, it } from "vitest";
import { labelStep, scale } from "./bar-chart";

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

describe("the labels", () => {
  const days = (count: number, label: string) => Array.from({ length: count }, () => label);

  it.each([
    // All of a week fit, at twice the size of text every other one.
    [days(7, "20 de nov."), 70, 1],
    [days(7, "20 de nov."), 30, 2],
    [days(93, "20 de nov."), 70, 10],
    // Before anything is measured there is one.
    [days(30, "Nov 20"), undefined, 30],
    [[], 70, 1],
  ])("are so many that none runs into another", (labels, room, step) => {
    expect(labelStep(labels, room)).toBe(step);
  });
});
