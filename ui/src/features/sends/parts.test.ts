import { describe, expect, it } from "vitest";
import type { SendPart } from "@/bindings/model";
import { callbackData } from "./callback-data";
import { firstAsked, groupParts, withSamples } from "./parts";

const part = (id: string, section: string, sample = "", card: number | null = null): SendPart => ({
  id,
  kind: "text",
  section,
  card,
  label: id,
  required: true,
  sample,
});

describe("parts of a send", () => {
  it("stand together by card and section, in the order of the message", () => {
    const groups = groupParts([
      part("header.link", "header"),
      part("body.1", "body"),
      part("body.2", "body"),
      part("card.0.header.link", "header", "", 0),
      part("card.1.header.link", "header", "", 1),
      part("card.0.button.0.url", "button", "", 0),
    ]);
    expect(groups.map(({ card, section, parts }) => [card, section, parts.map(({ id }) => id)])).toEqual([
      [undefined, "header", ["header.link"]],
      [undefined, "body", ["body.1", "body.2"]],
      [0, "header", ["card.0.header.link"]],
      [1, "header", ["card.1.header.link"]],
      [0, "button", ["card.0.button.0.url"]],
    ]);
  });

  it("take their samples where nothing is typed, and only there", () => {
    const parts = [part("body.1", "body", "Maria"), part("body.2", "body", "40%"), part("body.3", "body")];
    expect(withSamples(parts, { "body.1": "Ana", "body.2": "" })).toEqual({ "body.1": "Ana", "body.2": "40%" });
  });

  it.each([
    [["body.1", "to"], "to"],
    [["callbackData", "body.1"], "body.1"],
    [["callbackData"], "callbackData"],
    [["elsewhere"], "elsewhere"],
    [[], undefined],
  ])("of %j the form asks for %s first", (fields, first) => {
    expect(firstAsked(fields, [part("body.1", "body")])).toBe(first);
  });
});

describe("callback data of a payload", () => {
  it.each([
    ['{"biz_opaque_callback_data":"{\\"order\\":1}"}', '{"order":1}'],
    ['{"biz_opaque_callback_data":""}', undefined],
    ['{"biz_opaque_callback_data":{"order":1}}', undefined],
    ['{"to":"1"}', undefined],
    ["[]", undefined],
    ["null", undefined],
    ["not JSON", undefined],
  ])("%s holds %s", (payload, data) => {
    expect(callbackData(payload)).toBe(data);
  });
});
