// Which column of a file fills which part.

import type { ValueSource } from "@/bindings/app";

/** A column of the file, or a field of a person. */
export type ColumnSource = Extract<ValueSource, { kind: "column" }>;

export interface Mapping {
  /** Column of the recipient; empty where none is chosen. */
  to: string;
  /** Column of the recipient's name; empty for none. */
  name: string;
  mapped: Record<string, ValueSource>;
}

/** What still holds of a mapping with other columns, and what is mapped to a column that is gone. */
export function keepMapping({ to, name, mapped }: Mapping, columns: readonly string[]) {
  const has = (column: string) => columns.includes(column);
  const holds = ([, value]: [string, ValueSource]) => value.kind === "fixed" || has(value.column);
  const entries = Object.entries(mapped);
  const kept: Mapping = {
    to: has(to) ? to : "",
    name: has(name) ? name : "",
    mapped: Object.fromEntries(entries.filter(holds)),
  };
  return { kept, gone: Object.fromEntries(entries.filter((entry) => !holds(entry))) };
}
