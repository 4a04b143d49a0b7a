import { describe, expect, it } from "vitest";
import type { CsvFile } from "@/bindings/app";
import type { PartKind, PartSection, SendPart } from "@/bindings/model";
import { guessMapping, keepMapping, rowValues } from "./mapping";

const NUMBER = "+55 11 99999-0000";

function file(columns: string[], ...sample: string[][]): CsvFile {
  return {
    id: "f",
    name: "f.csv",
    columns,
    hasHeader: true,
    headerUncertain: false,
    firstRow: columns,
    numberColumns: columns.filter((_, index) => {
      const cells = sample.map((row) => row[index] ?? "").filter((cell) => cell !== "");
      return cells.length > 0 && cells.every((cell) => [NUMBER, "447700900123"].includes(cell));
    }),
    sampleLines: [],
    rows: sample.length,
    sample,
    delimiter: ",",
    encoding: "UTF-8",
  };
}

function part(id: string, label: string, kind: PartKind = "text"): SendPart {
  const section = (/header|button/.exec(id)?.[0] ?? "body") as PartSection;
  return { id, kind, section, label, required: true, sample: "" };
}

describe("the column of the number", () => {
  it.each<[why: string, file: CsvFile, to: string]>([
    ["is the one called so", file(["id", "Phone number"], ["1", NUMBER]), "Phone number"],
    ["in any language, with or without accents", file(["Nome", "Destinatário"], ["Ana", NUMBER]), "Destinatário"],
    ["rather one that holds numbers", file(["to", "mobile"], ["Ana", NUMBER]), "mobile"],
    ["by its name alone where there are no rows", file(["name", "telefono"]), "telefono"],
    ["by what is in it where no name tells", file(["a", "b"], ["Ana", NUMBER], ["Tom", "447700900123"]), "b"],
    ["is not guessed among several that hold numbers", file(["a", "b"], [NUMBER, "447700900123"]), ""],
    ["is none where nothing is a number", file(["a", "b"], ["Ana", "12"]), ""],
    ["by a word in its name", file(["Nome", "Telefone / WhatsApp"], ["Ana", NUMBER]), "Telefone / WhatsApp"],
    ["by its surest word", file(["Telefone 1", "Celular (WhatsApp)"], [NUMBER, NUMBER]), "Celular (WhatsApp)"],
    ["by a word with accents", file(["Id", "Número de teléfono"], [NUMBER, NUMBER]), "Número de teléfono"],
    ["by a word without rows", file(["Name", "Phone number (mobile)"]), "Phone number (mobile)"],
    ["is not one about a number", file(["Nome no WhatsApp", "Tipo de telefone"], ["Ana", "fixo"]), ""],
    ["is rather one that gets messages", file(["Telefone fixo", "Fone (zap)"], [NUMBER, NUMBER]), "Fone (zap)"],
    ["is no word of letters within another", file(["Telefonista", "Microphone"], ["Ana", "USB"]), ""],
    ["overlooks rows without a value", file(["a", "b"], ["", "x"], [NUMBER, "y"]), "a"],
  ])("%s", (_, given, to) => {
    expect(guessMapping(given, []).to).toBe(to);
  });
});

describe("the column of a name", () => {
  it("is the one called so, and may fill a part as well", () => {
    const guessed = guessMapping(file(["Phone", "Name"], [NUMBER, "Ana"]), [part("body.name", "name")]);
    expect(guessed).toEqual({ to: "Phone", name: "Name", mapped: { "body.name": { kind: "column", column: "Name" } } });
  });

  it("is none where nothing is called so", () => {
    expect(guessMapping(file(["Phone", "City"], [NUMBER, "Rio"]), []).name).toBe("");
  });
});

describe("parts", () => {
  it.each<[column: string, part: SendPart]>([
    ["body.1", part("body.1", "1")],
    ["1", part("body.1", "1")],
    ["{{1}}", part("body.1", "1")],
    ["Body 1", part("body.1", "1")],
    ["variable_1", part("body.1", "1")],
    ["Order ID", part("body.order_id", "order_id")],
    ["Código", part("body.codigo", "codigo")],
    ["image_url", part("header.link", "IMAGE", "link")],
    ["Header", part("header.link", "IMAGE", "link")],
    ["Shop the sale", part("button.0.url", "Shop the sale", "suffix")],
  ])("take the column “%s”", (column, one) => {
    expect(guessMapping(file(["Phone", column], [NUMBER, "x"]), [one]).mapped).toEqual({
      [one.id]: { kind: "column", column },
    });
  });

  it("take none by a name that several of them have", () => {
    const cards = [part("card.0.body.1", "1"), part("card.1.body.1", "1")];
    expect(guessMapping(file(["1", "card.1.body.1"], ["x", "y"]), cards).mapped).toEqual({
      "card.1.body.1": { kind: "column", column: "card.1.body.1" },
    });
  });

  it("take none that is called otherwise", () => {
    expect(guessMapping(file(["City"], ["Rio"]), [part("body.1", "1")]).mapped).toEqual({});
  });
});

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
