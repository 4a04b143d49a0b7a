import { describe, expect, it } from "vitest";
import { readTime, writeTime } from "./local-time";

describe("a local time", () => {
  it.each([
    ["2026-11-20T14:30", new Date(2026, 10, 20, 14, 30)],
    ["2026-11-20 14:30", new Date(2026, 10, 20, 14, 30)],
    ["2026-11-20T14:30:59", new Date(2026, 10, 20, 14, 30, 59)],
    [" 2026-11-20 9:05 ", new Date(2026, 10, 20, 9, 5)],
    ["2026-11-20", new Date(2026, 10, 20)],
  ])("%j is read", (text, at) => {
    expect(readTime(text)).toBe(at.getTime());
  });

  it.each(["", "yesterday", "2026-13-01", "2026-02-30", "2026-11-20T25:00", "2026-11-20T10:75", "2026-11-20T10:30:60"])(
    "%j is none",
    (text) => {
      expect(readTime(text)).toBeUndefined();
    },
  );

  it("is written as it is read", () => {
    const at = new Date(2026, 0, 5, 7, 9).getTime();
    expect(writeTime(at)).toBe("2026-01-05T07:09");
    expect(readTime(writeTime(at))).toBe(at);
  });

  it("is written with its seconds where they matter", () => {
    expect(writeTime(new Date(2026, 0, 5, 7, 9, 3).getTime())).toBe("2026-01-05T07:09");
    expect(writeTime(new Date(2026, 0, 5, 7, 9, 3).getTime(), { seconds: true })).toBe("2026-01-05T07:09:03");
    expect(writeTime(new Date(2026, 0, 5, 7, 9).getTime(), { seconds: true })).toBe("2026-01-05T07:09");
  });
});
