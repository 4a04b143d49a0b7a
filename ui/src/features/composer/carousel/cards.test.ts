import { describe, expect, it } from "vitest";
import type { Attachment, Draft } from "@/bindings/app";
import type { Component } from "@/bindings/model";
import { addButton, changeButton } from "../buttons/buttons";
import {
  addCard,
  addCarousel,
  alike,
  cardFilesOf,
  cardsOf,
  duplicateCard,
  editButtons,
  moveCard,
  removeCard,
  removeCarousel,
  removeStrayFiles,
  sameButtons,
  setCardBodies,
  setCardFormat,
  setFilesFrom,
  sharedFormat,
  spreadButtons,
  strayFiles,
} from "./cards";

const file = (name: string, mime = "image/png"): Attachment => ({
  path: `/p/${name}`,
  name,
  size: 1,
  mime,
  thumbnail: null,
});
const draftOf = (components: unknown[], cardFiles: (Attachment | null)[] = []): Draft => ({
  id: "d",
  workspace: "w",
  template: { name: "n", language: "en", category: "MARKETING", components: components as Component[] },
  wabaIds: [],
  headerFile: null,
  cardFiles,
  edits: null,
  updatedAt: 0,
});
const card = (text: string, buttons: unknown[] = [{ type: "QUICK_REPLY", text: "Yes" }], more = {}) => ({
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::x"] }, shade: 2 },
    { type: "BODY", text, example: { body_text: [["a"]] } },
    { type: "BUTTONS", buttons },
  ],
  ...more,
});
const carousel = (cards: unknown[], files?: (Attachment | null)[]) =>
  draftOf([{ type: "BODY", text: "Hi" }, { type: "CAROUSEL", cards, speed: "slow" }, { type: "NEW" }], files);
const three = () =>
  carousel([card("a", undefined, { colour: "red" }), card("b"), card("c")], [file("a"), null, file("c")]);
const texts = (draft: Draft) =>
  cardsOf(draft).map(({ components }) => components.map((it) => ("text" in it ? it.text : undefined))[1]);
const names = (draft: Draft) => draft.cardFiles.map((it) => it?.name ?? null);
const json = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("cards", () => {
  it("are added without other changes, and removed again", () => {
    const before = draftOf([
      { type: "HEADER", format: "TEXT", text: "x" },
      { type: "BODY", text: "Hi" },
      { type: "FOOTER", text: "Bye" },
    ]);
    const after = addCarousel(before);
    expect(after.template.components.slice(0, 3)).toEqual(before.template.components);
    expect(cardsOf(after)).toHaveLength(2);
    expect(json(cardsOf(after)[0])).toEqual({
      components: [
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "" },
        { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "" }] },
      ],
    });
    expect(addCarousel(after)).toBe(after);
    expect(removeCarousel(after)).toEqual(before);
  });

  it.each([
    [0, 2, ["b", "c", "a"], [null, "c", "a"]],
    [2, 0, ["c", "a", "b"], ["c", "a", null]],
    [0, 1, ["b", "a", "c"], [null, "a", "c"]],
    [1, 1, ["a", "b", "c"], ["a", null, "c"]],
    [1, 9, ["a", "b", "c"], ["a", null, "c"]],
  ])("move with their files from %i to %i", (from, to, order, files) => {
    const after = moveCard(three(), from, to);
    expect(texts(after)).toEqual(order);
    expect(names(after)).toEqual(files);
  });

  it("keep unknown keys through every change", () => {
    let it = moveCard(three(), 0, 2);
    it = duplicateCard(it, 2);
    it = removeCard(it, 0);
    it = setCardBodies(setCardBodies(it, false), true);
    it = editButtons(it, 0, (parts) => addButton(parts, "URL"), true);
    expect(json(it.template.components[1])).toMatchObject({ type: "CAROUSEL", speed: "slow" });
    expect(json(it.template.components[2])).toEqual({ type: "NEW" });
    expect(cardsOf(it).map((each) => json(each).colour)).toEqual([undefined, "red", "red"]);
    expect(cardsOf(it).every((each) => json(each).components[0].shade === 2)).toBe(true);
  });

  it("are duplicated with their file, apart from each other", () => {
    const after = duplicateCard(three(), 0);
    expect(texts(after)).toEqual(["a", "a", "b", "c"]);
    expect(names(after)).toEqual(["a", "a", null, "c"]);
    expect(cardsOf(after)[1]).not.toBe(cardsOf(after)[0]);
  });

  it("are removed with their file", () => {
    const after = removeCard(three(), 0);
    expect(texts(after)).toEqual(["b", "c"]);
    expect(names(after)).toEqual([null, "c"]);
  });

  it("come with the structure of the last one and empty texts", () => {
    const url = {
      type: "URL",
      text: "Shop",
      url: "https://x.example/{{1}}",
      example: ["https://x.example/1"],
      tone: 1,
    };
    const before = carousel([card("a", [url])], [file("a")]);
    expect(json(cardsOf(addCard(before, false))[1])).toEqual({
      components: [
        { type: "HEADER", format: "IMAGE", shade: 2 },
        { type: "BODY", text: "" },
        { type: "BUTTONS", buttons: [{ type: "URL", text: "", url: "", tone: 1 }] },
      ],
    });
    expect(json(cardsOf(addCard(before, true))[1]).components[2].buttons).toEqual([url]);
    expect(names(addCard(before, true))).toEqual(["a", null]);
  });

  it("change the kind of their header together; files of another kind go", () => {
    const mixed = carousel([card("a"), { components: [{ type: "HEADER", format: "VIDEO" }] }], [file("a"), file("b")]);
    expect(sharedFormat(cardsOf(mixed))).toBeUndefined();
    const after = setCardFormat(mixed, "VIDEO");
    expect(sharedFormat(cardsOf(after))).toBe("VIDEO");
    expect(names(after)).toEqual([null, "b"]);
    expect(json(cardsOf(after)[0]).components[0]).toEqual({ type: "HEADER", format: "VIDEO", shade: 2 });
  });

  it("take several files in order, the first deciding the kind while there is none", () => {
    const films = [file("1", "video/mp4"), file("2", "video/mp4"), file("3", "video/mp4"), file("4", "video/mp4")];
    const empty = carousel([card("a"), card("b"), card("c")]);
    const after = setFilesFrom(empty, 1, films);
    expect(names(after)).toEqual([null, "1", "2"]);
    expect(sharedFormat(cardsOf(after))).toBe("VIDEO");
    expect(sharedFormat(cardsOf(setFilesFrom(three(), 0, films)))).toBe("IMAGE");
  });

  it("have a text all, or none", () => {
    const some = carousel([card("a"), { components: [{ type: "HEADER", format: "IMAGE" }] }]);
    expect(texts(setCardBodies(some, true))).toEqual(["a", ""]);
    expect(cardsOf(setCardBodies(some, false)).flatMap((it) => it.components.map(({ type }) => type))).not.toContain(
      "BODY",
    );
  });

  it("are not found in a carousel of an unknown shape", () => {
    const odd = draftOf([{ type: "CAROUSEL", cards: "many" }]);
    expect(cardsOf(odd)).toEqual([]);
    expect(cardFilesOf(odd)).toEqual([]);
  });
});

describe("files", () => {
  it("without a card are removed", () => {
    const before = carousel([card("a")], [file("a"), null, file("lost")]);
    expect(strayFiles(before).map(({ name }) => name)).toEqual(["lost"]);
    expect(names(removeStrayFiles(before))).toEqual(["a"]);
  });
});

describe("buttons of cards", () => {
  it("are alike by type and order, and the same by everything", () => {
    const yes = { type: "QUICK_REPLY", text: "Yes" };
    const call = { type: "PHONE_NUMBER", text: "Call", phone_number: "1" };
    const both = (a: unknown[], b: unknown[]) => {
      const cards = cardsOf(carousel([card("a", a), card("b", b)]));
      return [alike(cards), sameButtons(cards)];
    };
    expect(both([yes], [{ text: "Yes", type: "QUICK_REPLY" }])).toEqual([true, true]);
    expect(both([yes], [{ ...yes, text: "No" }])).toEqual([true, false]);
    expect(both([yes, call], [call, yes])).toEqual([false, false]);
    expect(both([yes], [])).toEqual([false, false]);
    expect([alike([]), sameButtons([])]).toEqual([true, true]);
  });

  it("change on one card, or on all, each keeping what is its own", () => {
    const before = carousel([card("a"), card("b", [{ type: "QUICK_REPLY", text: "Yes", own: 1 }])]);
    const label = (draft: Draft) => cardsOf(draft).map((it) => json(it).components[2].buttons[0]);
    const rename = (parts: Component[]) => changeButton(parts, 0, { text: "No" });
    expect(label(editButtons(before, 0, rename, false))).toMatchObject([{ text: "No" }, { text: "Yes" }]);
    expect(label(editButtons(before, 0, rename, true))).toMatchObject([{ text: "No" }, { text: "No", own: 1 }]);
    expect(editButtons(before, 0, (parts) => parts, true)).toBe(before);
  });

  it("spread from one card to all", () => {
    const before = carousel([
      card("a", [{ type: "URL", text: "Go", url: "https://a.example" }]),
      card("b"),
      { components: [] },
    ]);
    const after = spreadButtons(before, 0);
    expect(sameButtons(cardsOf(after))).toBe(true);
    expect(texts(after).slice(0, 2)).toEqual(["a", "b"]);
  });
});
