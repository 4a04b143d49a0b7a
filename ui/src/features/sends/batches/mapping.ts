// Which column of a file fills which part: guessed from the header and the first rows.

import type { CsvFile, ValueSource } from "@/bindings/app";
import type { SendPart } from "@/bindings/model";

/** A column of the file, or a field of a person. */
export type ColumnSource = Extract<ValueSource, { kind: "column" }>;

export interface Mapping {
  /** Column of the recipient; empty where none is chosen. */
  to: string;
  /** Column of the recipient's name; empty for none. */
  name: string;
  mapped: Record<string, ValueSource>;
}

/** What people call the column of the number, in the languages of the window. The first are the surest. */
const NUMBER_NAMES = [
  ["to", "recipient", "phone", "phonenumber", "mobile", "msisdn", "whatsapp", "cell", "cellphone"],
  ["telefone", "celular", "destinatario", "telefono", "movil", "fone"],
  ["number", "numero", "contact", "contato", "contacto", "tel"],
].flat();

/** Words in the name of the column of the number, in the languages of the window. The first are the surest. */
const NUMBER_WORDS = [
  ["whatsapp", "zap", "celular", "movil", "mobile", "cell", "cellphone", "msisdn"],
  ["telefone", "telefono", "phone", "fone", "tel"],
].flat();

/** Words in the names of columns about a number, or of numbers that get no messages. */
const OTHER_WORDS = new Set(
  [
    ["nome", "nombre", "name", "tipo", "type", "modelo", "model", "marca", "brand", "operadora", "carrier"],
    ["fixo", "fijo", "landline", "fax", "extension", "ext", "ramal", "ddd", "status", "optin"],
  ].flat(),
);

const PERSON_NAMES = [
  ["name", "fullname", "recipientname", "customername", "contactname"],
  ["nome", "nomecompleto", "nombre", "nombrecompleto", "cliente", "customer", "firstname", "primeironome"],
].flat();

/** Letters and digits alone, without accents and in small letters: `Número_de Telefone` and `numerodetelefone` are one. */
function plain(words: string): string {
  return words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

export function guessMapping(file: CsvFile, parts: readonly SendPart[]): Mapping {
  const to = guessNumberColumn(file);
  const name = firstNamed(file.columns, PERSON_NAMES) ?? "";
  return { to, name: name === to ? "" : name, mapped: guessValues(file.columns, parts) };
}

/** What still holds of a mapping with other columns. */
export function keepMapping({ to, name, mapped }: Mapping, columns: readonly string[]): Mapping {
  const has = (column: string) => columns.includes(column);
  return {
    to: has(to) ? to : "",
    name: has(name) ? name : "",
    mapped: Object.fromEntries(
      Object.entries(mapped).filter(([, value]) => value.kind === "fixed" || has(value.column)),
    ),
  };
}

/**
 * The column called like a number, or with a word for one in its name, unless nothing in it is one; else the one that has
 * nothing but numbers in it.
 */
function guessNumberColumn({ columns, numberColumns: numbers }: CsvFile): string {
  const named =
    firstNamed(numbers, NUMBER_NAMES) ??
    firstWithWord(numbers) ??
    firstNamed(columns, NUMBER_NAMES) ??
    firstWithWord(columns);
  return named ?? (numbers.length === 1 ? (numbers[0] ?? "") : "");
}

/** The column with the surest word for a number among the words of its name. */
function firstWithWord(columns: readonly string[]): string | undefined {
  const named = columns.map((column) => ({ column, words: column.split(/[^\p{L}\p{M}\p{N}]+/u).map(plain) }));
  const fitting = named.filter(({ words }) => !words.some((word) => OTHER_WORDS.has(word)));
  for (const word of NUMBER_WORDS) {
    const found = fitting.find(({ words }) => words.includes(word));
    if (found) return found.column;
  }
  return undefined;
}

function firstNamed(columns: readonly string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = columns.find((column) => plain(column) === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Columns that are called like a part. A name that several parts have says nothing about any of them. */
function guessValues(columns: readonly string[], parts: readonly SendPart[]): Record<string, ValueSource> {
  const byName = new Map<string, Set<string>>();
  for (const part of parts) {
    for (const name of namesOf(part)) byName.set(name, (byName.get(name) ?? new Set()).add(part.id));
  }
  const mapped: Record<string, ValueSource> = {};
  for (const column of columns) {
    const meant = byName.get(plain(column));
    const [id] = meant ?? [];
    if (id !== undefined && meant?.size === 1) mapped[id] ??= { kind: "column", column };
  }
  return mapped;
}

/** What a column for the part may be called: its key, its label, or its label with its section before it. */
function namesOf({ id, section, label, kind }: SendPart): string[] {
  const names = [plain(id), plain(label), plain(`${section}${label}`)];
  if (kind === "link") names.push(plain(section), plain(`${section}${label}url`), plain(`${label}url`));
  if (kind === "text") names.push(plain(`variable${label}`), plain(`var${label}`));
  return [...new Set(names)].filter((name) => name !== "");
}

/** What a variable for the name of a person may be called. */
const PERSON_VARIABLES = new Set([...PERSON_NAMES, "first", "client", "user", "username", "usuario"]);

/** A greeting right before a variable, in the languages of the window: a name follows. */
const GREETING =
  /(?:^|[^\p{L}])(?:hi|hello|hey|dear|ola|oi|car[oa]|prezad[oa]|querid[oa]|hola|estimad[oa])[\s,*_~]*\{\{[^}]*\}\}/u;

/** Whether a part is filled with the name of a person. */
export function isPersonName({ kind, label, context }: SendPart): boolean {
  if (kind !== "text") return false;
  const around = (context ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return PERSON_VARIABLES.has(plain(label)) || GREETING.test(around);
}

/** The values of one of the first rows, by part. */
export function rowValues(
  { columns }: CsvFile,
  row: readonly string[],
  mapped: Readonly<Record<string, ValueSource>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapped).map(([id, value]) => [
      id,
      value.kind === "fixed" ? value.value : cellValue(row[columns.indexOf(value.column)] ?? "", value),
    ]),
  );
}

/** A cell, or what takes its place where it is empty. */
export function cellValue(cell: string, { fallback }: ColumnSource): string {
  return cell.trim() === "" ? (fallback ?? "") : cell;
}
