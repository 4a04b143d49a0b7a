// Who has stopped marketing messages, and the words that are opt-outs.

import type { MarketingStop, OptOut, OptOutImport } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { NOW } from "./fixtures";

type Commands =
  | "note_marketing"
  | "list_opt_outs"
  | "add_opt_out"
  | "add_opt_outs"
  | "list_opt_out_words"
  | "save_opt_out_words"
  | "export_opt_outs"
  | "import_opt_outs"
  | "store_opt_outs"
  | "undo_opt_out_import";

const DAY = 24 * 60 * 60_000;
const PRESET = ["stop", "unsubscribe", "sair", "parar", "cancelar", "baja"];

const optOut = (person: string, formatted: string, parts: Partial<OptOut>): OptOut => ({
  person,
  formatted,
  name: null,
  stop: { since: NOW - DAY, source: "note", accounts: null },
  number: "",
  waba: "",
  ...parts,
});

export const imported = (parts: Partial<OptOutImport>): OptOutImport => ({
  name: "stops.csv",
  rows: 0,
  faults: [],
  faulty: 0,
  added: 0,
  known: 0,
  notAdded: [],
  unreadColumns: [],
  ...parts,
});

/** With what the conversation of a contact shows about it. */
export function optOutHandlers(): {
  handlers: Pick<Handlers, Commands>;
  stopOf: (contact: string) => MarketingStop | null;
} {
  let words = PRESET;
  let rows: OptOut[] = [
    optOut("5511977770001", "+55 11 97777-0001", {
      name: "Rafael Dias",
      stop: { since: NOW - 2 * DAY, source: "preference", accounts: null },
    }),
    optOut("5511977770002", "+55 11 97777-0002", {
      stop: { since: NOW - 3 * DAY, source: "reply", accounts: "Main number" },
      number: "108001",
      waba: "201",
    }),
  ];
  const stopOf = (contact: string) => rows.find(({ person }) => person === contact)?.stop ?? null;
  const handlers: Pick<Handlers, Commands> = {
    note_marketing: ({ contact, isStopped, number, waba }) => {
      rows = rows.filter((row) => row.person !== contact);
      const stop = { since: NOW, source: "note", accounts: null } as const;
      if (isStopped) rows.unshift(optOut(contact, `+${contact}`, { stop, number: number ?? "", waba: waba ?? "" }));
      return { stops: rows.filter(({ person }) => person === contact).map((row) => row.stop) };
    },
    list_opt_outs: ({ search, limit }) => {
      const wanted = (search ?? "").toLowerCase();
      const found = rows.filter(({ name, person }) => `${name ?? ""} ${person}`.toLowerCase().includes(wanted));
      return { rows: found.slice(0, limit), found: found.length, total: rows.length };
    },
    add_opt_out: ({ person, number }) => {
      const digits = person.replace(/\D/g, "");
      if (digits.length < 8) {
        const problem = {
          field: "to",
          code: "to.invalid",
          severity: "error",
          errorCode: null,
          values: { reason: "it is too short", fault: "tooShort" },
          message: "This is not a phone number: it is too short.",
        } as const;
        return { problem };
      }
      rows.unshift(optOut(digits, `+${digits}`, { number: number ?? "" }));
      return {};
    },
    add_opt_outs: ({ people }) => {
      rows = [...people.map(({ person, number, waba }) => optOut(person, `+${person}`, { number, waba })), ...rows];
      return {};
    },
    list_opt_out_words: () => ({ words, preset: PRESET, limit: 100, wordLimit: 60 }),
    save_opt_out_words: (request) => {
      const empty = request.words.find((word) => !/[\p{L}\p{N}]/u.test(word));
      if (empty !== undefined) return { saved: null, fault: { code: "empty", word: empty, limit: 60 } };
      words = request.words;
      return { saved: { words, preset: PRESET, limit: 100, wordLimit: 60 }, fault: null };
    },
    export_opt_outs: () => ({ path: "/home/ana/opt-outs.csv", rows: rows.length }),
    import_opt_outs: () => imported({ id: "file", rows: 12, added: 12 }),
    store_opt_outs: ({ id }) => imported({ id, rows: 12, added: 12 }),
    undo_opt_out_import: () => ({}),
  };
  return { handlers, stopOf };
}
