import { expect, it } from "vitest";
import { hexDump } from "./hex";

const bytes = (text: string) => new TextEncoder().encode(text);

it("shows offset, digits and characters", () => {
  expect(hexDump(bytes('{"entry":[]} é\n'))).toBe(
    '00000000  7b 22 65 6e 74 72 79 22  3a 5b 5d 7d 20 c3 a9 0a  {"entry":[]} ...',
  );
});

it("fills the last line up, so that the characters stay in their column", () => {
  const [first, second] = hexDump(bytes("0123456789abcdefXY")).split("\n");
  expect(first?.indexOf("0123456789abcdef")).toBe(second?.indexOf("XY"));
  expect(second?.startsWith("00000010  58 59 ")).toBe(true);
});

it("stops at the limit and shows nothing of nothing", () => {
  expect(hexDump(bytes("x".repeat(100)), 32).split("\n")).toHaveLength(2);
  expect(hexDump(new Uint8Array())).toBe("");
});
