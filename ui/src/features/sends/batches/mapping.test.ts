import { describe, expect, it } from "vitest";
import type { CsvFile } from "@/bindings/app";
import type { PartKind, PartSection, SendPart } from "@/bindings/model";
import guesses from "./column-guesses.json";
import { guessMapping, isPersonName, keepMapping, rowValues } from "./mapping";

function part(id: string, label: string, kind: PartKind = "text"): SendPart {
  const section = (/header|button/.exec(id)?.[0] ?? "body") as PartSection;
  return { id, kind, section, label, required: true, sample: "" };
}

function file(columns: string[], ...sample: string[][]): CsvFile {
  return {
    id: "f",
    name: "f.csv",
    columns,
    hasHeader: true,
    headerUncertain: false,
    firstRow: columns,
    numberColumns: [],
    sampleLines: [],
    rows: sample.length,
    sample,
    delimiter: ",",
    encoding: "UTF-8",
  };
}

// Command-line checks guess by the same cases (`column_guess.rs`).
interface Guess {
  why: string;
  columns: string[];
  numberColumns: string[];
  parts?: SendPart[];
  to?: string;
  name?: string;
  mapped?: Record<string, string>;
}

it.each(guesses as Guess[])(
  "guesses columns: $why",
  ({ columns, numberColumns, parts = [], to, name, mapped = {} }) => {
    expect(guessMapping({ ...file(columns), numberColumns }, parts)).toEqual({
      to: to ?? "",
      name: name ?? "",
      mapped: Object.fromEntries(Object.entries(mapped).map(([id, column]) => [id, { kind: "column", column }])),
    });
  },
);

describe("another file", () => {
  it("keeps what it has the columns for, and what is the same for everyone", () => {
    const before = {
      to: "Phone",
      name: "Name",
      mapped: {
        "body.1": { kind: "column", column: "Name" },
        "body.2": { kind: "column", column: "Gone" },
        "body.3": { kind: "fixed", value: "10%" },
      },
    } as const;
    expect(keepMapping(before, ["Name", "Mobile"])).toEqual({
      to: "",
      name: "Name",
      mapped: { "body.1": { kind: "column", column: "Name" }, "body.3": { kind: "fixed", value: "10%" } },
    });
  });
});

it.each([
  ["Ana", "there", "Ana"],
  ["", "there", "there"],
  [" \u00a0 ", "there", "there"],
  ["", null, ""],
])("shows for the cell “%s” with the fallback %s “%s”", (cell, fallback, shown) => {
  const filled = rowValues(file(["Name"], [cell]), [cell], { "body.1": { kind: "column", column: "Name", fallback } });
  expect(filled).toEqual({ "body.1": shown });
});

it("fills a row from its columns, and with what is the same for everyone", () => {
  const values = rowValues(file(["Name", "Off"], ["Ana", "10%"]), ["Ana"], {
    "body.1": { kind: "column", column: "Name" },
    "body.2": { kind: "column", column: "Off" },
    "body.3": { kind: "fixed", value: "today" },
  });
  expect(values).toEqual({ "body.1": "Ana", "body.2": "", "body.3": "today" });
});

it("finds a variable for a name by what it is called, or by the greeting before it", () => {
  const around = (context: string) => isPersonName({ ...part("body.1", "1"), context });
  expect(["Hi {{1}}, your", "Olá, {{1}}!", "*Hola {{1}}*", "Prezado {{1}}"].map(around)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["Your order {{1}} is", "This {{1}} is", "Hi there, {{1}} is on sale"].map(around)).toEqual([
    false,
    false,
    false,
  ]);
  expect(["first_name", "Nome", "code"].map((label) => isPersonName(part("body.x", label)))).toEqual([
    true,
    true,
    false,
  ]);
});
