import { describe, expect, it } from "vitest";
import type { Component } from "@/bindings/model";
import {
  addButton,
  buttonsOf,
  changeButton,
  moveButton,
  moveButtonTo,
  removeButton,
  setButtonUrl,
  setFlowReference,
} from "./buttons";

const parts = (components: unknown[]) => components as Component[];
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("buttons", () => {
  const three = () => (["URL", "QUICK_REPLY", "PHONE_NUMBER"] as const).reduce(addButton, parts([]));
  const kinds = (it: Component[]) => buttonsOf(it).map(({ type }) => type);

  it("are added to their group, and removed", () => {
    expect(kinds(three())).toEqual(["URL", "PHONE_NUMBER", "QUICK_REPLY"]);
    const none = [0, 0, 0].reduce(removeButton, three());
    expect(none).toEqual([]);
  });

  const row = (types: string) =>
    parts([
      {
        type: "BUTTONS",
        buttons: [...types].map((type) => ({ type: type === "q" ? "QUICK_REPLY" : "URL", text: type })),
      },
    ]);
  const letters = (it: Component[]) =>
    buttonsOf(it)
      .map((button) => ("text" in button ? button.text : ""))
      .join("");

  it.each([
    ["abqq", 0, 1, "baqq"],
    ["abqq", 1, 1, "qqab"],
    ["abqq", 2, -1, "qqab"],
    ["abqq", 3, 1, "abqq"],
    ["abqq", 0, -1, "abqq"],
    // What is split already moves by single steps, or it could never be brought together.
    ["aqb", 1, 1, "abq"],
    ["aqb", 2, -1, "abq"],
    ["", 0, 1, ""],
  ])("of %s: the one at %i moves by %i to %s, groups together", (before, index, by, after) => {
    expect(letters(moveButton(row(before), index, by as 1 | -1))).toBe(after);
  });

  it.each([
    ["abq", 0, 2, "bqa"],
    ["abq", 2, 0, "qab"],
    ["abq", 1, 1, "abq"],
    ["abq", 1, 7, "abq"],
  ])("of %s: the one dragged from %i to %i gives %s", (before, from, to, after) => {
    expect(letters(moveButtonTo(row(before), from, to))).toBe(after);
  });

  it("of a form name it in exactly one way", () => {
    const form = parts([
      { type: "BUTTONS", buttons: [{ type: "FLOW", text: "a", flow_id: "1", flow_json: "{}", x: 1 }] },
    ]);
    expect(json(setFlowReference(form, 0, "flow_name", "survey"))[0].buttons[0]).toEqual({
      type: "FLOW",
      text: "a",
      flow_name: "survey",
      x: 1,
    });
  });

  it("keep unknown keys and unknown types", () => {
    const before = parts([
      {
        type: "BUTTONS",
        buttons: [
          { type: "HOLOGRAM", x: 1 },
          { type: "URL", text: "a", y: 2 },
        ],
      },
    ]);
    const after = changeButton(before, 1, { text: "b" });
    expect(json(after)[0].buttons).toEqual([
      { type: "HOLOGRAM", x: 1 },
      { type: "URL", text: "b", y: 2 },
    ]);
  });

  it("lose the sample of an address without a variable", () => {
    let it = addButton(parts([]), "URL");
    it = setButtonUrl(it, 0, "https://a.example/{{1}}");
    it = changeButton(it, 0, { example: ["https://a.example/1"] });
    expect(json(setButtonUrl(it, 0, "https://a.example/{{1}}x"))[0].buttons[0].example).toHaveLength(1);
    expect(json(setButtonUrl(it, 0, "https://a.example"))[0].buttons[0]).toEqual({
      type: "URL",
      text: "",
      url: "https://a.example",
    });
  });
});
