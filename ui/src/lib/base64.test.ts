import { expect, it } from "vitest";
import { bytesOf, isExact } from "./base64";

it("reads bytes, and none of what is malformed", () => {
  expect([...bytesOf("AP8Q")]).toEqual([0, 255, 16]);
  expect([...bytesOf("***")]).toEqual([]);
});

it("knows whether text is exactly those bytes", () => {
  expect(isExact("é", Uint8Array.of(0xc3, 0xa9))).toBe(true);
  expect(isExact("\uFFFD", Uint8Array.of(0xff))).toBe(false);
  expect(isExact("é", Uint8Array.of(0xe9))).toBe(false);
});
