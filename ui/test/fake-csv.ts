// The CSV files of the fake host.

import type { BatchRow, CsvFile } from "@/bindings/app";

/** Number of rows of the CSV file. */
const ROWS = 200;

export const CSV: CsvFile = {
  id: "csv-1",
  name: "customers.csv",
  columns: ["First name", "Phone", "1", "2", "Shop"],
  hasHeader: true,
  headerUncertain: false,
  firstRow: ["First name", "Phone", "1", "2", "Shop"],
  rows: ROWS,
  sample: [
    ["Maria", "5511990011111", "Maria", "40%", "a1"],
    ["Jonas", "5511990022221", "Jonas", "30%", "b2"],
    ["Leïla", "5511990033331", "Leïla", "20%", "c3"],
  ],
  sampleLines: [2, 3, 4],
  delimiter: ";",
  encoding: "UTF-8",
};

export const WITHOUT_HEADER: CsvFile = {
  ...CSV,
  id: "csv-people",
  hasHeader: false,
  columns: CSV.columns.map((_, index) => `Column ${index + 1}`),
  rows: ROWS + 1,
  sample: [CSV.firstRow, ...CSV.sample],
  sampleLines: [1, ...CSV.sampleLines],
};

/** Files by their identifiers. */
export const FILES = new Map([CSV, WITHOUT_HEADER].map((file) => [file.id, file]));

let lists = 0;

/** The rows of people of a batch, each list with an identifier of its own. */
export function listOfPeople(rows: readonly BatchRow[]): CsvFile {
  const cells = rows.map(({ name, written }) => [name ?? "", written, "1", "2", "a1"]);
  return {
    ...CSV,
    id: `csv-list-${++lists}`,
    name: "pilot.csv",
    rows: rows.length,
    sample: cells.slice(0, 5),
    sampleLines: rows.slice(0, 5).map(({ row }) => row),
  };
}
