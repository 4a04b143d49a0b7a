import { describe, expect, it } from "vitest";
import type { Template } from "@/bindings/model";
import { unitOf } from "./advanced-section";
import { step } from "./emoji";
import { loadEmoji, recentEmoji, searchEmoji } from "./emoji-data";
import { valueAt, withValueAt } from "./json-pointer";
import { formatOf, sampleAt, textsWithGaps, whereIs, withSampleAt } from "./variables";

const template = {
  name: "t",
  language: "en_US",
  category: "marketing",
  components: [
    { type: "HEADER", format: "TEXT", text: "{{1}}" },
    { type: "BODY", text: "{{2}} and {{1}}" },
    {
      type: "CAROUSEL",
      cards: [
        {
          components: [
            { type: "BODY", text: "{{1}} {{3}}" },
            { type: "BUTTONS", buttons: [{}] },
          ],
        },
      ],
    },
  ],
} as unknown as Template;
const use = (path: string, name: string, samplePath: string) => ({ path, name, sample: "", samplePath });

describe("a pointer", () => {
  it.each([
    ["/a/b", { a: { b: 1, c: 2 } }, { a: { b: 9, c: 2 } }],
    ["/a/0/2", {}, { a: [["", "", 9]] }],
    ["/a~1b/m~0n", {}, { "a/b": { "m~n": 9 } }],
    ["/a/x", { a: "text" }, { a: { x: 9 } }],
    ["/a/1", { a: ["kept"] }, { a: ["kept", 9] }],
  ])("%s puts a value in its place and leaves the rest", (pointer, before, after) => {
    const original = JSON.stringify(before);
    const changed = withValueAt<unknown>(before, pointer, 9);
    expect(changed).toEqual(after);
    expect(valueAt(changed, pointer)).toBe(9);
    expect(JSON.stringify(before)).toBe(original);
  });

  it("leads nowhere where nothing is, nor into what every object has", () => {
    expect(valueAt({ a: null }, "/a/b")).toBeUndefined();
    expect(valueAt({}, "/constructor/name")).toBeUndefined();
  });
});

describe("variables", () => {
  it.each([
    ["/components/0/text", { kind: "header", card: undefined }],
    ["/components/1/text", { kind: "body", card: undefined }],
    ["/components/2/cards/0/components/0/text", { kind: "body", card: 1 }],
    ["/components/2/cards/0/components/1/buttons/0/url", { kind: "button", button: 1, card: 1 }],
    ["/components/9/text", { kind: "other", card: undefined }],
  ])("%s is told in words", (path, where) => expect(whereIs(template, path)).toEqual(where));

  it("get samples by number and by name, with their names", () => {
    const numbered = use("/components/1/text", "2", "/components/1/example/body_text/0/1");
    const after = withSampleAt(template, numbered, "Ana");
    expect(valueAt(after, "/components/1/example")).toEqual({ body_text: [["", "Ana"]] });
    expect(sampleAt(after, numbered)).toBe("Ana");
    const named = use("/components/1/text", "who", "/components/1/example/body_text_named_params/0/example");
    expect(valueAt(withSampleAt(template, named, "Bea"), "/components/1/example/body_text_named_params")).toEqual([
      { param_name: "who", example: "Bea" },
    ]);
  });

  it("with gaps are those that skip a number, in any order", () => {
    const uses = ["/components/0/text", "/components/1/text", "/components/2/cards/0/components/0/text"].map((path) =>
      use(path, "1", ""),
    );
    expect(textsWithGaps(uses, template)).toEqual(["/components/2/cards/0/components/0/text"]);
  });

  it("are numbers or names as the template says, else as the texts are", () => {
    expect(formatOf(template, [use("", "1", "")])).toBe("POSITIONAL");
    expect(formatOf(template, [use("", "who", "")])).toBe("NAMED");
    expect(formatOf({ ...template, parameter_format: "named" }, [])).toBe("NAMED");
  });
});

describe("emoji", () => {
  it.each([
    ["en", "Rocket", "🚀"],
    ["pt-BR", "foguete", "🚀"],
    ["es", "corazon rojo", "❤️"],
  ] as const)("are found in %s by %s, whatever case and accents", async (language, query, expected) => {
    const all = await loadEmoji(language);
    expect(all.length).toBeGreaterThan(1000);
    expect(searchEmoji(all, query, 3).map(({ unicode }) => unicode)).toContain(expected);
    expect(searchEmoji(all, "  ", 3)).toEqual([]);
  });

  it("that were stored in any other shape are no recent ones", () => {
    for (const stored of ["{", "null", '{"a":1}']) {
      localStorage.setItem("composer.recentEmoji", stored);
      expect(recentEmoji()).toEqual([]);
    }
  });

  it.each([
    ["ArrowRight", 3, 4],
    ["ArrowRight", 10, 10],
    ["ArrowLeft", 0, 0],
    ["ArrowDown", 2, 2 + 3],
    ["ArrowDown", 6, 10],
    ["ArrowUp", 4, 1],
    ["ArrowUp", 1, 1],
    ["Home", 7, 0],
    ["End", 0, 10],
    ["x", 0, undefined],
  ])("%s leads from %i to %s", (key, from, to) => expect(step(key, from, [0, 3, 9], 11)).toBe(to));
});

it.each([
  [undefined, "seconds"],
  [-1, "seconds"],
  [90, "seconds"],
  [600, "minutes"],
  [43_200, "hours"],
  [2_592_000, "days"],
])("%s seconds are shown in %s", (seconds, unit) => expect(unitOf(seconds)).toBe(unit));
