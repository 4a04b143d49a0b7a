import { describe, expect, it } from "vitest";
import { dayTable, shareOf } from "./figures";

it("orders statuses by a message's life cycle, unknown ones last", () => {
  const { words } = dayTable([
    {
      day: "2026-11-01",
      statuses: ["warning", "read", "failed", "sent", "deleted"].map((value) => ({ value, count: 1 })),
    },
  ]);
  expect(words).toEqual(["sent", "read", "failed", "deleted", "warning"]);
});

it("shows days on which nothing happened", () => {
  const { rows } = dayTable([
    { day: "2026-02-27", statuses: [{ value: "sent", count: 3 }] },
    { day: "2026-03-02", statuses: [{ value: "sent", count: 1 }] },
  ]);
  expect(rows).toEqual([
    { day: "2026-02-27", counts: { sent: 3 } },
    { day: "2026-02-28", counts: {} },
    { day: "2026-03-01", counts: {} },
    { day: "2026-03-02", counts: { sent: 1 } },
  ]);
});

it("shows unreadable days as they came, and nothing for none", () => {
  expect(dayTable([{ day: "soon", statuses: [{ value: "sent", count: 1 }] }]).rows).toEqual([
    { day: "soon", counts: { sent: 1 } },
  ]);
  expect(dayTable([])).toEqual({ words: [], rows: [] });
});

describe("a share", () => {
  it.each([
    [3, 0, { kind: "none" }],
    [3, 9, { kind: "few" }],
    [3, 10, { kind: "percent", text: "30" }],
    [0, 500, { kind: "percent", text: "0" }],
    [1, 500, { kind: "percent", text: "< 1" }],
    [499, 500, { kind: "percent", text: "> 99" }],
    [500, 500, { kind: "percent", text: "100" }],
  ])("of %d in %d is said as %j", (part, whole, said) => {
    expect(shareOf(part, whole)).toEqual(said);
  });
});
