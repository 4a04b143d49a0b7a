import { describe, expect, it } from "vitest";
import type { CommandName } from "./host";
import { changesBetween, changesOnly } from "./request-changes";

type Payload = { request?: unknown; changes?: { base: number; set: unknown }; number?: number };

describe("what changed in a request", () => {
  const before = { id: "d", template: { name: "a", parts: [{ text: "one" }, { text: "two" }] }, file: undefined };
  it.each<[string, object, unknown]>([
    ["nothing", { ...before }, []],
    [
      "a text",
      { ...before, template: { name: "a", parts: [{ text: "one" }, { text: "2" }] } },
      [[["template", "parts", 1, "text"], "2"]],
    ],
    ["a field without a value, which is not sent", { id: "d", template: before.template }, []],
    ["another number of items", { ...before, template: { name: "a", parts: [] } }, [[["template", "parts"], []]]],
    [
      "other fields",
      { ...before, template: { name: "a", parts: before.template.parts, category: "utility" } },
      [[["template"], { name: "a", parts: before.template.parts, category: "utility" }]],
    ],
    [
      "the order of fields",
      { ...before, template: { parts: before.template.parts, name: "a" } },
      [[["template"], { parts: before.template.parts, name: "a" }]],
    ],
    ["a value of another kind", { ...before, template: null }, [[["template"], null]]],
    ["a new field at the top, which is the whole request", { ...before, file: {} }, undefined],
  ])("%s", (_, now, changes) => {
    expect(changesBetween(before, now)).toEqual(changes);
  });

  it("is the whole request when it is a lot", () => {
    const numbers = (from: number, count: number) => ({
      of: Array.from({ length: count }, (_, index) => from + index),
    });
    expect(changesBetween(numbers(0, 8), numbers(1, 8))).toHaveLength(8);
    expect(changesBetween(numbers(0, 9), numbers(1, 9))).toBeUndefined();
  });
});

describe("requests as their changes", () => {
  function recording(answer: (payload: Payload) => unknown = () => "answered") {
    const sent: [CommandName, Payload][] = [];
    const send = changesOnly(async (command, payload) => {
      sent.push([command, payload as Payload]);
      return answer(payload as Payload);
    });
    return { sent, send };
  }

  it("sends the first request whole, then what changed, for each command by itself", async () => {
    const { sent, send } = recording();
    await send("save_draft", { name: "a" });
    await send("inspect_template", { name: "a" });
    expect(await send("save_draft", { name: "b" })).toBe("answered");
    await send("save_draft", { name: "c" });
    const [first, other, second, third] = sent.map(([, payload]) => payload);
    expect(first).toEqual({ request: { name: "a" }, number: expect.any(Number) });
    expect(other).toMatchObject({ request: { name: "a" } });
    expect(second).toEqual({
      changes: { base: first?.number, set: [[["name"], "b"]] },
      number: expect.any(Number),
    });
    expect(third).toMatchObject({ changes: { base: second?.number, set: [[["name"], "c"]] } });
    expect(new Set(sent.map(([, { number }]) => number)).size).toBe(4);
  });

  it("sends other commands whole, without a number", async () => {
    const { sent, send } = recording();
    await send("get_draft", { draft: "d" });
    await send("get_draft", { draft: "d" });
    expect(sent).toEqual(Array(2).fill(["get_draft", { request: { draft: "d" } }]));
  });

  it("sends the whole request when the host has another last one", async () => {
    const { sent, send } = recording(({ changes }) => {
      if (changes) throw "the changes are not of the last request";
      return "whole";
    });
    await send("save_draft", { name: "a" });
    expect(await send("save_draft", { name: "b" })).toBe("whole");
    expect(sent.map(([, { request }]) => request)).toEqual([{ name: "a" }, undefined, { name: "b" }]);
  });

  it("leaves every other failure to the caller, and goes on from that request", async () => {
    const failure = { code: "storage", reason: "the disk is full" };
    const { sent, send } = recording(({ changes }) => {
      if (changes) throw failure;
    });
    await send("save_draft", { name: "a" });
    await expect(send("save_draft", { name: "b" })).rejects.toBe(failure);
    await expect(send("save_draft", { name: "b" })).rejects.toBe(failure);
    expect(sent.at(-1)?.[1].changes).toEqual({ base: sent.at(-2)?.[1].number, set: [] });
  });
});
