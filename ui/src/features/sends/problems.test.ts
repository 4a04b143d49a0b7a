import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Preflight, SendRequest } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { lengthOf } from "@/components/length-counter";
import { inOneLine } from "@/components/problem-notes";
import { ageText } from "@/components/send-problem-text";
import texts from "@/locales/en/sendProblems.json";
import words from "@/locales/en/sends.json";
import { shownProblems, warningCodes, withPreflight } from "./problems";

const problem = (
  field: string,
  code: SendProblem["code"],
  severity: SendProblem["severity"] = "error",
): SendProblem => ({
  field,
  code,
  severity,
  values: {},
  message: code,
});

// Tests run in the folder of the window.
const TABLE = "../src-tauri/crates/model/src/send/problem.rs";

it("has a sentence for every code of the table, with everything the table's names", () => {
  const source = readFileSync(TABLE, "utf8").split("problems! {")[1]?.split("\n}\n")[0] ?? "";
  const rows = [...source.matchAll(/= "([\w.]+)",\s*\w+(?:\([\d_]+\))?,\s*"((?:[^"\\]|\\.)*)";/g)];
  const said = new Map(
    Object.entries(texts).flatMap(([group, sentences]) =>
      Object.entries(sentences).map(([name, sentence]): [string, string] => [`${group}.${name}`, sentence]),
    ),
  );
  // In a batch, an empty value is one of a column.
  expect(said.delete("value.emptyColumn")).toBe(true);
  // A stop for some accounts has a sentence of its own.
  said.set("to.optedOut", `${said.get("to.optedOut")} ${said.get("to.optedOutFor")}`);
  expect(said.delete("to.optedOutFor")).toBe(true);
  expect(rows.length).toBeGreaterThan(40);
  expect([...said.keys()].sort()).toEqual(rows.map(([, code]) => code).sort());
  // Made readable in the window.
  const shownAs: Record<string, string> = {
    bytes: "size",
    minutes: "age",
    kind: "kindWord",
    since: "date",
    until: "instant",
  };
  for (const [, code = "", sentence = ""] of rows) {
    for (const [, name = ""] of sentence.matchAll(/\{([a-zA-Z]+)\}/g)) {
      const names = [name, shownAs[name], `${name}Word`, "limitSize", "instant"].map((value) => `{{${value}}}`);
      expect(
        names.some((value) => said.get(code)?.includes(value)),
        `${code}: ${name}`,
      ).toBe(true);
    }
  }
});

it.each([
  [["media_links/link.rs"], /Fault::new\(\s*"(\w+)"/g, words.linkFault],
  [["recipient/fault.rs"], /=> "(\w+)"/g, words.numberFault],
] as const)("has a word for every fault that %s finds", (files, told, known) => {
  const source = files.map((file) => readFileSync(`../src-tauri/crates/outgoing/src/${file}`, "utf8")).join("\n");
  const found = new Set([...source.matchAll(told)].map(([, fault]) => fault));
  expect([...found].sort()).toEqual(Object.keys(known).sort());
});

describe("what is shown at a field", () => {
  const problems = [
    problem("to", "to.invalid"),
    problem("body.1", "value.footer", "warning"),
    problem("body.1", "value.newline"),
    problem("body.2", "value.missing"),
  ];
  const fields = (left: string[], tried = false) =>
    [...shownProblems(problems, { left: new Set(left), tried })].map(([field, here]) => [
      field,
      here.map(({ code }) => code),
    ]);

  it("is what is plainly wrong at once, errors first, and what is unfinished when the field was left", () => {
    expect(fields([])).toEqual([["body.1", ["value.newline", "value.footer"]]]);
    expect(fields(["to"])).toContainEqual(["to", ["to.invalid"]]);
    expect(fields(["to"])).not.toContainEqual(["body.2", ["value.missing"]]);
  });

  it("is everything once a send was tried", () => {
    expect(
      fields([], true)
        .map(([field]) => field)
        .sort(),
    ).toEqual(["body.1", "body.2", "to"]);
  });

  it("names the code of a warning once", () => {
    const twice = [problem("a", "media.status", "warning"), problem("b", "media.status", "warning"), ...problems];
    expect(warningCodes(twice)).toEqual(["media.status", "value.footer"]);
  });
});

describe("what the preflight found", () => {
  const typed: Pick<SendRequest, "values"> = { values: { "header.link": "https://a", "body.1": "x" } };
  const preflight: Preflight = {
    problems: [
      problem("header.link", "media.tooLarge"),
      problem("body.1", "value.newline"),
      problem("template", "template.stale", "warning"),
    ],
    media: [],
    template: { status: "APPROVED", archived: false },
    recipient: { countryAssumed: false },
    checkedAt: 0,
  };
  const codes = (now: typeof typed, live: SendProblem[] = []) =>
    withPreflight(live, preflight, typed, now).map(({ code }) => code);

  it("joins what is found with each key, as long as its field says the same", () => {
    expect(codes(typed)).toEqual(["media.tooLarge"]);
    expect(codes({ values: { "header.link": "https://b" } })).toEqual([]);
  });

  it("is reported once", () => {
    expect(codes(typed, [problem("header.link", "media.tooLarge")])).toEqual(["media.tooLarge"]);
  });

  it("is nothing before there was one", () => {
    const live = [problem("to", "to.missing")];
    expect(withPreflight(live, undefined, undefined, typed)).toBe(live);
  });
});

describe("a value in one line", () => {
  it.each([
    ["a\nb", "a b"],
    ["a \r\n\t b", "a b"],
    ["a\tb", "a b"],
    ["a      b", "a    b"],
    ["\na\n", "a"],
    ["a    b", "a    b"],
  ])("%j becomes %j", (before, after) => {
    expect(inOneLine(before)).toBe(after);
  });

  it("counts an emoji as a character", () => {
    expect(lengthOf("a🌞é")).toBe(3);
  });
});

it.each([
  [0, "0 minutes ago"],
  [90, "90 minutes ago"],
  [60 * 26, "26 hours ago"],
  [60 * 24 * 3, "3 days ago"],
])("%d minutes is %s", (minutes, text) => {
  expect(ageText(minutes, "en")).toBe(text);
});
