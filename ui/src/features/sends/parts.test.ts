import { describe, expect, it } from "vitest";
import type { Bubble, SendPart } from "@/bindings/model";
import { callbackEntries } from "./callback-view";
import { addressIn, cardsApart, firstAsked, groupParts, withSamples } from "./parts";

const part = (id: string, section: SendPart["section"], sample = "", card: number | null = null): SendPart => ({
  id,
  kind: "text",
  section,
  card,
  label: id,
  required: true,
  sample,
});

describe("parts of a send", () => {
  it("are grouped by card and section, in the order of the message", () => {
    const groups = groupParts([
      part("button.0.url", "button"),
      part("offer.expiration", "offer"),
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
      [undefined, "offer", ["offer.expiration"]],
      [undefined, "button", ["button.0.url"]],
      [0, "header", ["card.0.header.link"]],
      [0, "button", ["card.0.button.0.url"]],
      [1, "header", ["card.1.header.link"]],
    ]);
    const { own, cards } = cardsApart(groups);
    expect(own.map(({ section }) => section)).toEqual(["header", "body", "offer", "button"]);
    expect(cards.map(([card, { length }]) => [card, length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });

  it("take their samples where nothing is typed, and only there", () => {
    const parts = [part("body.1", "body", "Maria"), part("body.2", "body", "40%"), part("body.3", "body")];
    expect(withSamples(parts, { "body.1": "Ana", "body.2": "" })).toEqual({ "body.1": "Ana", "body.2": "40%" });
  });

  it("take the first name of the person in place of the sample of a name", () => {
    const parts = [{ ...part("body.1", "body", "Maria"), person: true }, part("body.2", "body", "40%")];
    expect(withSamples(parts, {}, "Ana")).toEqual({ "body.1": "Ana", "body.2": "40%" });
    expect(withSamples(parts, {})).toEqual({ "body.1": "Maria", "body.2": "40%" });
    expect(withSamples(parts, { "body.1": "Bia" }, "Ana")["body.1"]).toBe("Bia");
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

describe("the whole address of a button", () => {
  const bubble = (targets: (string | null)[], cards: Bubble[] = []): Bubble => ({
    body: [],
    buttons: targets.map((target) => ({ kind: "URL", label: "", target })),
    visible_buttons: 0,
    cards,
    right_to_left: false,
    unknown: [],
  });
  const message = bubble([null, "https://a.example/x%20y"], [bubble([]), bubble(["https://b.example/z"])]);

  it.each([
    ["button.1.url", "https://a.example/x%20y"],
    ["card.1.button.0.url", "https://b.example/z"],
    ["button.0.url", undefined],
    ["card.7.button.0.url", undefined],
    ["body.1", undefined],
  ])("of %s is %s", (id, address) => {
    expect(addressIn(message, part(id, "button"))).toBe(address);
  });
});

describe("callback data", () => {
  it.each([
    [
      '{"order":1,"td":"ab"}',
      [
        ["order", "1"],
        ["td", "ab"],
      ],
    ],
    [
      '{"a":{"b":[1]},"c":""}',
      [
        ["a", '{"b":[1]}'],
        ["c", ""],
      ],
    ],
    [
      '{"id":12345678901234567890,"n":1.0,"n":[ 1, {"x":"a,b}"} ]}',
      [
        ["id", "12345678901234567890"],
        ["n", "1.0"],
        ["n", '[1,{"x":"a,b}"}]'],
      ],
    ],
    ["{ }", []],
    ["[1]", undefined],
    ["plain", undefined],
    ["null", undefined],
  ])("%s is read key by key", (text, entries) => {
    expect(callbackEntries(text)).toEqual(entries);
  });
});
