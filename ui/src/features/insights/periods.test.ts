import { describe, expect, it } from "vitest";
import { everyPeriod, MAX_PERIODS, periodText } from "./periods";

describe("periods", () => {
  it.each([
    ["day", ["2026-03-01", "2026-02-27"], ["2026-02-27", "2026-02-28", "2026-03-01"]],
    ["week", ["2026-11-02", "2026-11-16"], ["2026-11-02", "2026-11-09", "2026-11-16"]],
    ["week", ["2026-11-02", "2026-11-17"], ["2026-11-02", "2026-11-17"]],
    ["month", ["2025-12", "2026-02"], ["2025-12", "2026-01", "2026-02"]],
    ["day", ["soon", "2026-11-01"], ["2026-11-01", "soon"]],
    ["day", [], []],
    ["day", ["2026-11-20"], ["2026-11-20"]],
  ] as const)("%ss of %j are %j", (period, keys, all) => {
    expect(everyPeriod(keys, period)).toEqual(all);
  });

  it("are not filled up past what can be seen", () => {
    expect(everyPeriod(["2020-01-01", "2026-01-01"], "day")).toEqual(["2020-01-01", "2026-01-01"]);
    expect(everyPeriod(["2026-01-01", "2026-04-03"], "day")).toHaveLength(MAX_PERIODS);
  });

  it.each([
    ["2026-11-20", "day", "en", "Nov 20"],
    ["2026-11-16", "week", "en", "Nov 16\u2009–\u200922"],
    ["2026-11", "month", "en", "Nov 2026"],
    ["2026-11-20", "day", "pt-BR", "20 de nov."],
    ["2026-W47", "week", "en", "2026-W47"],
  ] as const)("%s is said as a %s in %s: %s", (key, period, language, text) => {
    expect(periodText(key, period, language)).toBe(text);
  });
});
