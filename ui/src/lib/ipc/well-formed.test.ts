import { createFakeHost } from "@test/fake-host";
import { describe, expect, it } from "vitest";
import { call, connectHost } from "./client";
import { wellFormed } from "./well-formed";

const HALF = "\ud83c";

describe("half characters", () => {
  it("leaves what has none untouched, down to its identity", () => {
    const request = { text: "🌞 a", list: [1, null, { deep: "é" }], flag: true, nothing: undefined };
    expect(wellFormed(request)).toBe(request);
  });

  it.each([
    ["a text", HALF, "\ufffd"],
    ["a text around whole ones", `🌞${HALF}🌞`, "🌞\ufffd🌞"],
    ["the other half alone", "a\udf1eb", "a\ufffdb"],
    ["an item", ["a", HALF], ["a", "\ufffd"]],
    ["a field, deep down", { cards: [{ text: HALF }], n: 1 }, { cards: [{ text: "\ufffd" }], n: 1 }],
    ["a key", { [HALF]: 1 }, { "\ufffd": 1 }],
  ])("replaces them in %s", (_, value, expected) => {
    expect(wellFormed(value)).toEqual(expected);
  });

  it("copies only what it changes", () => {
    const kept = { a: "b" };
    const before = { kept, broken: HALF };
    const after = wellFormed(before);
    expect(after.kept).toBe(kept);
    expect(before.broken).toBe(HALF);
  });

  it("are found in what is nested deep and is new beside what was looked at before", () => {
    const known = { text: "a" };
    expect(wellFormed({ known }).known).toBe(known);
    const nested = (levels: number, text: string): object =>
      levels === 0 ? { text } : { known, in: nested(levels - 1, text) };
    expect(wellFormed(nested(200, HALF))).toEqual(nested(200, "\ufffd"));
  });

  it("keeps a key named like the prototype", () => {
    const hostile = JSON.parse(`{"__proto__": {"a": 1}, "text": "\\ud83c"}`) as object;
    expect(JSON.stringify(wellFormed(hostile))).toBe('{"__proto__":{"a":1},"text":"\ufffd"}');
  });

  it("never leave the window", async () => {
    const host = createFakeHost();
    connectHost(host);
    await call("read_template", { text: `{"name":"${HALF}"}` });
    expect(host.calls.at(-1)?.request).toEqual({ text: '{"name":"\ufffd"}' });
  });
});
