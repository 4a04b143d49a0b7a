import { renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Template } from "@/bindings/model";
import { componentPath, parsePath, usePathText } from "./template-path";

const template = {
  components: [
    { type: "BODY", text: "Hi" },
    {
      type: "CAROUSEL",
      cards: [
        { components: [] },
        {
          components: [
            { type: "HEADER", format: "IMAGE" },
            { type: "BUTTONS", buttons: [{ type: "URL" }] },
          ],
        },
      ],
    },
    { type: "BUTTONS", buttons: [] },
  ],
} as unknown as Template;

describe("the names of a path", () => {
  it.each([
    // As rules and the provider point at it.
    ["/category", template, "Category"],
    ["/components/0/text", template, "Body · Text"],
    ["/components/0/example/body_text/0/2", template, "Body · Samples"],
    ["/components/2/buttons/1/url", template, "Buttons · Button 2 · Website address"],
    ["/components/1/cards/1/components/0/example/header_handle/0", template, "Carousel · Card 2 · Header · File"],
    ["/components/1/cards/1/components/1/buttons/0/text", template, "Carousel · Card 2 · Buttons · Button 1 · Text"],
    ["/components/1/cards/7", template, "Carousel · Card 8"],
    ["/components/9/text", template, "9 · Text"],
    // As differences name it.
    ["/components/BODY/text", undefined, "Body · Text"],
    ["/components/BODY/1/text", undefined, "Body 2 · Text"],
    ["/components/BUTTONS/0/phone_number", undefined, "Buttons · Button 1 · Phone number"],
    ["/components/CAROUSEL/cards/1/BODY/text", undefined, "Carousel · Card 2 · Body · Text"],
    [
      "/components/CAROUSEL/cards/0/BUTTONS/1/url",
      undefined,
      "Carousel · Card 1 · Buttons · Button 2 · Website address",
    ],
    ["/components/SOMETHING_NEW/deep~1er/x", undefined, "SOMETHING_NEW · deep/er · x"],
    ["/components/HEADER/file", undefined, "Header · File"],
    ["/constructor", undefined, "constructor"],
    ["", undefined, ""],
  ])("%s", (path, within, expected) => {
    const { result } = renderHook(usePathText);
    expect(result.current(parsePath(path, within))).toBe(expected);
  });
});

it.each([
  ["/components/1/text", "/components/1"],
  ["/components/1/cards/2/components/0/text", "/components/1/cards/2/components/0"],
  ["/components/1/cards/2", "/components/1"],
  ["/name", "/name"],
  ["", ""],
])("%s belongs to %s", (path, owner) => {
  expect(componentPath(path)).toBe(owner);
});
