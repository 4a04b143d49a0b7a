import { describe, expect, it } from "vitest";
import type { CommandName } from "./host";
import { patchOf, patchRequests } from "./request-patches";

type Payload = { request?: unknown; patch?: unknown; base?: number; revision?: number };

describe("the patch between two requests", () => {
  const before = { id: "d", template: { name: "a", parts: [{ text: "one" }, { "a/b~": "two" }] }, file: undefined };
  const { parts } = before.template;
  it.each<[string, object, unknown]>([
    ["nothing", { ...before }, []],
    [
      "a text",
      { ...before, template: { name: "a", parts: [parts[0], { "a/b~": "2" }] } },
      [{ path: "/template/parts/1/a~1b~0", value: "2" }],
    ],
    ["a field without a value, which is not sent", { id: "d", template: before.template }, []],
    [
      "an item without a value, which is sent as null",
      { ...before, template: { name: "a", parts: [parts[0], undefined] } },
      [{ path: "/template/parts/1", value: null }],
    ],
    [
      "another number of items",
      { ...before, template: { name: "a", parts: [] } },
      [{ path: "/template/parts", value: [] }],
    ],
    [
      "other fields",
      { ...before, template: { name: "a", parts, category: "utility" } },
      [{ path: "/template", value: { name: "a", parts, category: "utility" } }],
    ],
    [
      "the order of fields",
      { ...before, template: { parts, name: "a" } },
      [{ path: "/template", value: { parts, name: "a" } }],
    ],
    [
      "a number with all its digits",
      { ...before, id: { $number: "1.0" } },
      [{ path: "/id", value: { $number: "1.0" } }],
    ],
    ["a value of another kind", { ...before, template: null }, [{ path: "/template", value: null }]],
    ["a new field at the top, which is the whole request", { ...before, file: {} }, undefined],
  ])("%s", (_, now, patch) => {
    expect(patchOf(before, now)).toEqual(patch);
  });

  it("is the whole request when it is a lot", () => {
    const numbers = (from: number, count: number) => ({
      of: Array.from({ length: count }, (_, index) => from + index),
    });
    expect(patchOf(numbers(0, 8), numbers(1, 8))).toHaveLength(8);
    expect(patchOf(numbers(0, 9), numbers(1, 9))).toBeUndefined();
  });
});

describe("patched requests", () => {
  function recording(answer: (payload: Payload) => unknown = () => "answered") {
    const sent: [CommandName, Payload][] = [];
    const call = patchRequests(async (command, payload) => {
      sent.push([command, payload as Payload]);
      return answer(payload as Payload);
    });
    return { sent, call };
  }

  it("are whole at first, then patches, for each command by itself", async () => {
    const { sent, call } = recording();
    await call("save_draft", { name: "a" });
    await call("inspect_template", { name: "a" });
    expect(await call("save_draft", { name: "b" })).toBe("answered");
    await call("save_draft", { name: "c" });
    const [first, other, second, third] = sent.map(([, payload]) => payload);
    const revision = expect.any(Number);
    expect(first).toEqual({ request: { name: "a" }, revision });
    expect(other).toEqual({ request: { name: "a" }, revision });
    expect(second).toEqual({ patch: [{ path: "/name", value: "b" }], base: first?.revision, revision });
    expect(third).toEqual({ patch: [{ path: "/name", value: "c" }], base: second?.revision, revision });
    expect(new Set(sent.map(([, payload]) => payload.revision)).size).toBe(4);
  });

  it("are whole for other commands, without a revision", async () => {
    const { sent, call } = recording();
    await call("get_draft", { draft: "d" });
    await call("get_draft", { draft: "d" });
    expect(sent).toEqual(Array(2).fill(["get_draft", { request: { draft: "d" } }]));
  });

  it("are whole when the host has another base", async () => {
    const { sent, call } = recording(({ patch }) => {
      if (patch) throw "the patch is not of the last request";
      return "whole";
    });
    await call("save_draft", { name: "a" });
    expect(await call("save_draft", { name: "b" })).toBe("whole");
    expect(sent.map(([, { request }]) => request)).toEqual([{ name: "a" }, undefined, { name: "b" }]);
  });

  it("are whole after a failure, which the caller gets", async () => {
    const failure = { code: "storage", reason: "the disk is full" };
    const { sent, call } = recording(({ patch }) => {
      if (patch) throw failure;
    });
    await call("save_draft", { name: "a" });
    await expect(call("save_draft", { name: "b" })).rejects.toBe(failure);
    await call("save_draft", { name: "c" });
    expect(sent.at(-1)?.[1].request).toEqual({ name: "c" });
    await expect(call("save_draft", { name: "d" })).rejects.toBe(failure);
  });
});
