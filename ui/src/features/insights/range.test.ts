import { describe, expect, it } from "vitest";
import { daysOf, isDay, isReversed } from "./range";

const NOW = new Date(2026, 2, 3, 23, 59);

describe("the days of an address", () => {
  it.each([
    ["the last 30 days by default, today among them", {}, { from: "2026-02-02", to: null }],
    ["the last seven", { range: "7" }, { from: "2026-02-25", to: null }],
    ["all there are", { range: "all", from: "2026-01-01" }, { from: null, to: null }],
    [
      "days that were typed",
      { range: "dates", from: "2026-01-01", to: "2026-01-31" },
      { from: "2026-01-01", to: "2026-01-31" },
    ],
    ["one end alone", { range: "dates", to: "2026-01-31" }, { from: null, to: "2026-01-31" }],
    ["no days that do not exist", { range: "dates", from: "2026-02-30", to: "soon" }, { from: null, to: null }],
    ["an unknown word as if nothing was said", { range: "forever" }, { from: "2026-02-02", to: null }],
  ])("are %s", (_, search: { range?: string; from?: string; to?: string }, days) => {
    expect(daysOf(search, NOW)).toEqual(days);
  });

  it("are in order", () => {
    expect(isReversed({ from: "2026-02-01", to: "2026-01-31" })).toBe(true);
    expect(isReversed({ from: "2026-02-01", to: "2026-02-01" })).toBe(false);
    expect(isReversed({ from: null, to: "2026-02-01" })).toBe(false);
  });

  it("have no time", () => {
    expect(isDay("2026-11-20")).toBe(true);
    expect(isDay("2026-11-20T10:00")).toBe(false);
    expect(isDay(undefined)).toBe(false);
  });
});
