import { describe, expect, it } from "vitest";
import type { Component } from "@/bindings/model";
import {
  nextVariable,
  otherComponents,
  sampleOf,
  samplePath,
  setFooter,
  setHeaderFormat,
  setSample,
  setText,
} from "./parts";

const parts = (components: unknown[]) => components as Component[];
const json = (value: unknown) => JSON.parse(JSON.stringify(value));
const spare = () => new Map<string, string>();

describe("texts", () => {
  it("keeps unknown keys and components in order", () => {
    const before = parts([
      { type: "SOMETHING_NEW", weight: 3 },
      { type: "BODY", text: "Hi", mood: "calm", example: { future: [1] } },
      { type: "CAROUSEL", cards: [] },
    ]);
    expect(json(setText(before, "BODY", "Hi {{1}}", spare()))).toEqual([
      { type: "SOMETHING_NEW", weight: 3 },
      { type: "BODY", text: "Hi {{1}}", mood: "calm", example: { future: [1], body_text: [[""]] } },
      { type: "CAROUSEL", cards: [] },
    ]);
  });

  it("leaves samples alone while the variables stay", () => {
    const example = { body_text: [["Ana"], ["Bea"]] };
    const before = parts([{ type: "BODY", text: "Hi {{1}}", example }]);
    const after = setText(before, "BODY", "Hello {{1}}", spare());
    expect(json(after)[0].example).toEqual(example);
  });

  it("takes a sample away with its variable and gives it back", () => {
    const kept = spare();
    const before = parts([{ type: "BODY", text: "{{1}} {{2}}", example: { body_text: [["Ana", "40%"]] } }]);
    const without = setText(before, "BODY", "{{1}}", kept);
    expect(json(without)[0].example).toEqual({ body_text: [["Ana"]] });
    expect(json(setText(without, "BODY", "", kept))[0]).toEqual({ type: "BODY", text: "" });
    expect(json(setText(without, "BODY", "{{1}} {{2}}", kept))[0].example).toEqual({
      body_text: [["Ana", "40%"]],
    });
  });

  it("writes samples of named variables by their name", () => {
    let it = parts([{ type: "BODY", text: "" }]);
    it = setText(it, "BODY", "Hi {{first_name}}", spare());
    it = setSample(it, "BODY", "first_name", "Ana");
    expect(sampleOf(it, "BODY", "first_name")).toBe("Ana");
    expect(json(it)[0].example).toEqual({
      body_text_named_params: [{ param_name: "first_name", example: "Ana" }],
    });
    expect(samplePath(it, "/components", "BODY", "first_name", 0)).toBe(
      "/components/0/example/body_text_named_params/0/example",
    );
  });

  it("does not make a sample for every number below a typing slip", () => {
    const after = setText(parts([{ type: "BODY", text: "" }]), "BODY", "{{999999999}}", spare());
    expect(json(after)[0].example.body_text[0].length).toBeLessThanOrEqual(200);
  });
});

describe("the next variable", () => {
  it.each([
    ["", "{{1}}"],
    ["{{1}} {{2}}", "{{3}}"],
    ["{{7}}", "{{8}}"],
    ["Hi {{first_name}}", "{{value_2}}"],
  ])("after %j is %s", (text, next) => {
    expect(nextVariable(undefined, text)).toBe(next);
  });

  it("has a name where the template says so", () => {
    expect(nextVariable("NAMED", "")).toBe("{{value_1}}");
  });
});

describe("the header", () => {
  it("is inserted first, and can be removed", () => {
    const before = parts([
      { type: "BODY", text: "Hi" },
      { type: "BUTTONS", buttons: [] },
    ]);
    const withHeader = setHeaderFormat(before, "IMAGE");
    expect(json(withHeader).map(({ type }: { type: string }) => type)).toEqual(["HEADER", "BODY", "BUTTONS"]);
    expect(json(setHeaderFormat(withHeader, null))).toEqual(json(before));
  });

  it("does not carry the sample of another kind along", () => {
    const image = parts([{ type: "HEADER", format: "IMAGE", example: { header_handle: ["4::x"] }, note: 1 }]);
    const text = setHeaderFormat(image, "TEXT");
    expect(json(text)[0]).toEqual({ type: "HEADER", format: "TEXT", text: "", note: 1 });
    const filled = setSample(setText(text, "HEADER", "Hi {{1}}", spare()), "HEADER", "1", "Ana");
    expect(json(filled)[0].example).toEqual({ header_text: ["Ana"] });
    expect(json(setHeaderFormat(filled, "VIDEO"))[0]).toEqual({ type: "HEADER", format: "VIDEO", note: 1 });
  });
});

describe("the footer", () => {
  it("goes when it is emptied, unless it says something else", () => {
    const plain = setFooter(parts([{ type: "BODY", text: "Hi" }]), "Bye");
    expect(json(plain)[1]).toEqual({ type: "FOOTER", text: "Bye" });
    expect(json(setFooter(plain, ""))).toHaveLength(1);
    const expiring = parts([{ type: "FOOTER", text: "x", code_expiration_minutes: 10 }]);
    expect(json(setFooter(expiring, ""))).toEqual([{ type: "FOOTER", code_expiration_minutes: 10 }]);
  });
});

it("lists a second component of a kind among the others, where it can be seen and removed", () => {
  const twice = parts([{ type: "BODY", text: "a" }, { type: "BODY", text: "b" }, { type: "NEW" }]);
  expect(otherComponents(twice).map(({ position }) => position)).toEqual([1, 2]);
});
