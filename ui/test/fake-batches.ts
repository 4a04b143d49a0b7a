// The fake host's address book and batches. The CSV file has 200 rows, three of them invalid. A batch sends in steps.

import type {
  Batch,
  BatchCounts,
  BatchMapping,
  BatchPlan,
  BatchRow,
  BatchSource,
  DeskEvent,
  NumbersRead,
  Recipient,
  Workspace,
} from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { countedState } from "@/features/sends/batches/shown-state";
import { countBy } from "./fake-answers";
import { type PeopleCommands, peopleHandlers } from "./fake-batch-people";
import { CSV, FILES, WITHOUT_HEADER } from "./fake-csv";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { formatted, lineBubble, NOW, SENDS } from "./fixtures";
import { checkRecipient, guessColumns } from "./rules";

type Commands =
  | "list_recipients"
  | "check_recipient"
  | "save_recipient"
  | "delete_recipients"
  | "choose_csv"
  | "list_countries"
  | "set_csv_header"
  | "reread_csv"
  | "guess_columns"
  | "preview_batch"
  | "plan_batch"
  | "start_batch"
  | "cancel_batch"
  | "resume_batch"
  | "end_batch"
  | "get_batch"
  | "get_batch_cost"
  | "get_batch_mapping"
  | "estimate_batch_rows"
  | "preview_batch_row"
  | "list_batches"
  | "export_batch"
  | "spread_batch"
  | "plan_round"
  | "discard_round"
  | PeopleCommands;

export interface FakeBatch {
  batch: Batch;
  rows: BatchRow[];
  mapping?: BatchMapping;
}

const NAMES = ["Maria Souza", "Jonas Weber", "Leïla Haddad", "Ana Lima", "Tom Baker", ""];
const LABELS = [["team", "pilot"], ["team"], ["pilot"], [], ["team"], []];

/** What the fields of a person hold; the host leaves out empty ones. */
function valuesOf({ name, formatted, labels, note }: Pick<Recipient, "name" | "formatted" | "labels" | "note">) {
  const values = { name, firstName: name.split(" ")[0] ?? "", number: formatted, labels: labels.join(", "), note };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

const FIELDS = ["name", "firstName", "number", "labels", "note"];

function fakeRecipients(): Recipient[] {
  return NAMES.map((name, place) => {
    const number = `55119900${String(place + 1).repeat(4)}1`.slice(0, 13);
    const person = {
      name,
      number,
      formatted: formatted(number),
      labels: LABELS[place] ?? [],
      note: place === 0 ? "Has an old phone" : "",
    };
    return {
      ...person,
      id: `recipient-${place + 1}`,
      workspace: "sandbox",
      values: valuesOf(person),
      lastSentAt: place < 3 ? NOW - place * 7_200_000 : null,
      stoppedMarketing: place === 1,
    };
  });
}

/** Problems of the invalid rows by line; the header is line 1. */
const BAD: Record<number, SendProblem> = {
  14: problem("to", "to.invalid", "error", "The recipient is no number: too short.", { reason: "too short" }),
  77: problem("body.1", "value.missing", "error", "The value is missing.", { column: "1" }, 132_000),
  140: problem("body.1", "value.newline", "error", "A value cannot contain a line break.", {}, 132_018),
};

function problem(
  field: string,
  code: SendProblem["code"],
  severity: SendProblem["severity"],
  message: string,
  values: Record<string, string>,
  errorCode?: number,
): SendProblem {
  return { field, code, severity, message, values, errorCode: errorCode ?? null };
}

const NONE: BatchCounts = {
  planned: 0,
  skipped: 0,
  ended: 0,
  sending: 0,
  accepted: 0,
  refused: 0,
  unknown: 0,
  cancelled: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  other: 0,
};

/** Number of messages per step. */
const STEP_SIZE = 8;
/** Time between steps, in milliseconds. */
const STEP_INTERVAL = 250;

/** How numbers were read of which none is a surprise. */
export const NUMBERS: NumbersRead = {
  country: "BR",
  unknown: 0,
  assumed: 0,
  ambiguous: 0,
  examples: [],
  foreign: 0,
  foreignExamples: [],
};

/** A checked batch without a finding; identifier and counts of rows are to be added. */
export const NO_FINDING = {
  problems: [],
  counts: [],
  sample: [],
  duplicates: 0,
  estimateMs: 0,
  media: [],
  numbers: NUMBERS,
} satisfies Partial<BatchPlan>;

export function batchHandlers(
  emit: (event: DeskEvent) => void,
  workspaceOf: (id: string) => Workspace,
  { get_send_form, preview_send }: Pick<Handlers, "get_send_form" | "preview_send">,
): Pick<Handlers, Commands> {
  let recipients = fakeRecipients();
  const batches = new Map<string, FakeBatch>();
  let next = 1;
  const batchOf = (id: string) => batches.get(id) ?? refusal({ code: "notFound", what: `Batch ${id}` });
  const shown = ({ batch, rows }: FakeBatch): Batch => ({
    ...batch,
    counts: {
      ...NONE,
      ...Object.fromEntries(countBy(rows.map(countedState)).map(({ value, count }) => [value, count])),
    },
  });
  /** A row by its place. No format is known here. */
  const filledRow = (source: BatchSource, row: number) => {
    const { columns, sample } = (source.kind === "csv" && FILES.get(source.file)) || CSV;
    const person = source.kind === "csv" ? undefined : recipients.find(({ id }) => id === source.ids[row]);
    const cell = (column: string) =>
      (source.kind === "csv" ? sample[row]?.[columns.indexOf(column)] : person?.values[column]) ?? "";
    const filled = Object.entries(source.values ?? {}).map(([part, from]): [string, string] => [
      part,
      from?.kind === "column" ? cell(from.column) || (from.fallback ?? "") : (from?.value ?? ""),
    ]);
    const to = source.kind === "csv" ? cell(source.to) : person ? `+${person.number}` : "";
    return { to, values: Object.fromEntries(filled) };
  };
  const progress = (found: FakeBatch) => {
    const { id, workspace, total, state, counts } = shown(found);
    emit({ type: "batchProgress", workspace, id, done: total - counts.planned - counts.sending, total, state });
  };
  const run = (found: FakeBatch) => {
    setTimeout(() => {
      if (found.batch.state !== "running") return;
      const step = found.rows.filter(({ state }) => state === "planned").slice(0, STEP_SIZE);
      for (const row of step) {
        row.state = row.row % 50 === 0 ? "failed" : (["sent", "delivered", "read"][row.row % 3] ?? "sent");
        row.send = SENDS[row.row % SENDS.length]?.id ?? null;
        if (row.state === "failed") row.error = "Message undeliverable";
      }
      if (found.rows.every(({ state }) => state !== "planned")) {
        found.batch = { ...found.batch, state: "done", endedAt: Date.now() };
      } else {
        run(found);
      }
      progress(found);
    }, STEP_INTERVAL);
  };

  // An interrupted batch.
  batches.set("batch-old", {
    batch: {
      id: "batch-old",
      workspace: "sandbox",
      templateName: "order_shipped",
      language: "en_US",
      reference: "5f3b8f0e-0000-4000-8000-000000000002",
      number: "108001",
      state: "interrupted",
      total: 40,
      counts: NONE,
      createdAt: NOW - 90_000_000,
      startedAt: NOW - 89_900_000,
      categoryRaised: false,
      source: "pilot.csv",
      error: { code: "unauthorized", message: "Authentication required", details: "The token has expired." },
    },
    mapping: {
      file: { hasHeader: true, to: "Phone", name: null },
      values: {
        "body.1": { kind: "column", column: "First name", fallback: "friend", transform: "titleCase" },
        "body.2": { kind: "column", column: "Day", transform: { date: { order: "dayFirst" } } },
        "header.link": { kind: "fixed", value: "https://shop.example/winter.jpg" },
      },
    },
    rows: Array.from({ length: 40 }, (_, place) => ({
      row: place + 2,
      recipient: `55119900${String(10_000 + place)}`,
      written: `55119900${String(10_000 + place)}`,
      formatted: formatted(`55119900${String(10_000 + place)}`),
      name: place % 2 ? null : "Ana Lima",
      send: place < 22 ? (SENDS[place % SENDS.length]?.id ?? null) : null,
      state: place < 18 ? "delivered" : place < 20 ? "failed" : place < 22 ? "unknown" : "planned",
      error: place === 18 || place === 19 ? "Message undeliverable" : null,
    })),
  });

  return {
    list_recipients: ({ workspace, search, label, number }) => {
      const mine = recipients.filter((one) => one.workspace === workspace);
      const words = (search ?? "").toLowerCase();
      return {
        rows: mine.filter(
          (one) =>
            `${one.name} ${one.number} ${one.formatted} ${one.note}`.toLowerCase().includes(words) &&
            (!label || one.labels.includes(label)) &&
            (!number || one.number === number.replace(/\D/g, "")),
        ),
        fields: FIELDS,
        labels: countBy(mine.flatMap(({ labels }) => labels)).map(({ value, count }) => ({ label: value, count })),
      };
    },
    check_recipient: (request) => checkRecipient({ settings: workspaceOf(request.workspace).settings, request }),
    save_recipient: ({ id, ...typed }) => {
      const number = typed.number.replace(/\D/g, "");
      const other = recipients.find((one) => one.number === number && one.workspace === typed.workspace);
      if (other && other.id !== id) {
        refusal({ code: "invalidInput", field: "number", message: `${other.name} has this number already.` });
      }
      const saved = {
        ...typed,
        labels: typed.labels ?? [],
        note: typed.note ?? "",
        id: id ?? `recipient-new-${next++}`,
        number,
        formatted: `+${number}`,
        stoppedMarketing: false,
        values: valuesOf({ ...typed, formatted: `+${number}`, labels: typed.labels ?? [], note: typed.note ?? "" }),
      };
      recipients = [...recipients.filter((one) => one.id !== saved.id), saved].sort((a, b) =>
        a.name.localeCompare(b.name),
      );
      return saved;
    },
    delete_recipients: ({ ids }) => {
      recipients = recipients.filter(({ id }) => !ids.includes(id));
      return {};
    },
    choose_csv: () => CSV,
    list_countries: () => [
      { code: "BR", callingCode: "55" },
      { code: "FR", callingCode: "33" },
    ],
    reread_csv: () => null,
    set_csv_header: ({ hasHeader }) => (hasHeader ? { ...CSV, id: "csv-names" } : WITHOUT_HEADER),
    guess_columns: async ({ workspace, reference, file }) => {
      const { parts } = await get_send_form({ workspace, reference });
      const { columns } = FILES.get(file) ?? CSV;
      return guessColumns({ columns, numberColumns: columns.includes("Phone") ? ["Phone"] : [], parts });
    },
    preview_batch: async ({ batch: { source, ...batch }, row }) => {
      const { to, values } = filledRow(source, row);
      return { values, preview: await preview_send({ ...batch, to, values }), columns: [] };
    },
    plan_batch: ({ workspace, reference, number, source, country, overrides }) => {
      const id = `batch-${next++}`;
      const to = source.kind === "csv" ? CSV.rows : source.ids.length;
      const rows: BatchRow[] = Array.from({ length: to }, (_, place) => {
        const row = source.kind === "csv" ? place + 2 : place + 1;
        const bad = source.kind === "csv" ? BAD[row] : undefined;
        const one = source.kind === "csv" ? undefined : recipients.find((other) => other.id === source.ids[place]);
        const recipient = bad?.field === "to" ? "12" : (one?.number ?? `55119900${String(10_000 + place)}`);
        return {
          row,
          recipient,
          written: recipient,
          formatted: bad?.field === "to" ? recipient : formatted(recipient),
          name: one?.name ?? null,
          state: bad ? "skipped" : "planned",
          problem: bad ?? null,
        };
      });
      /** The values of the message, one after another. */
      const filled = ({ row }: BatchRow) =>
        Object.values(filledRow(source, row - (source.kind === "csv" ? 2 : 1)).values).join(" ");
      const stale = problem("template", "template.stale", "warning", "The template was not refreshed for 2 days.", {
        minutes: "2880",
      });
      const warned =
        number === "108001" && new URLSearchParams(globalThis.location?.search ?? "").get("plan") === "warning";
      const blocked = warned && !overrides?.includes(stale.code);
      const bad = blocked ? to : rows.filter((row) => row.problem).length;
      const batch: Batch = {
        id,
        workspace,
        templateName: "summer_sale_2026",
        language: "en_US",
        reference,
        number,
        state: "planned",
        total: to,
        counts: NONE,
        createdAt: Date.now(),
        categoryRaised: false,
        source: source.kind === "csv" ? CSV.name : "recipients",
      };
      const codes = rows.flatMap(({ problem }) => (problem ? [problem.code] : []));
      const file = source.kind === "csv" ? { hasHeader: true, to: source.to, name: source.name ?? null } : null;
      batches.set(id, { batch, rows, mapping: { file, country: country ?? null, values: source.values ?? {} } });
      return {
        id,
        total: to,
        good: to - bad,
        bad,
        problems: [
          ...(warned ? [{ row: 0, recipient: "", problem: stale }] : []),
          ...rows.flatMap((row) =>
            row.problem ? [{ row: row.row, recipient: row.recipient, problem: row.problem }] : [],
          ),
        ],
        counts: [...new Set(codes)].map((code) => {
          const rows = codes.filter((other) => other === code).length;
          return { code, rows, people: rows };
        }),
        sample: rows
          .filter((row) => !row.problem)
          .slice(0, 3)
          .map((row, place) => ({
            example: (["first", "longest", "other"] as const)[place] ?? "other",
            row: row.row,
            to: row.recipient,
            written: row.written,
            formatted: formatted(row.recipient),
            name: row.name ?? null,
            bubble: lineBubble(filled(row)),
          })),
        duplicates: 0,
        numbers: { ...NUMBERS, country: country ?? NUMBERS.country },
        estimateMs: to * 1000,
        media: [
          {
            part: "header.link",
            url: "https://shop.example/summer.jpg",
            state: "ok",
            bytes: 182_344,
            mime: "image/jpeg",
          },
        ],
      };
    },
    start_batch: ({ batch: id, skipBad }) => {
      const found = batchOf(id);
      if (!skipBad && found.rows.some(({ problem: bad }) => bad)) {
        refusal({ code: "conflict", message: "Some rows cannot be sent." });
      }
      found.batch = { ...found.batch, state: "running", startedAt: Date.now() };
      run(found);
      return shown(found);
    },
    cancel_batch: ({ batch: id }) => {
      const found = batchOf(id);
      for (const row of found.rows) if (row.state === "planned") row.state = "cancelled";
      found.batch = { ...found.batch, state: "cancelled", endedAt: Date.now() };
      progress(found);
      return shown(found);
    },
    resume_batch: ({ batch: id, resendUnknown }) => {
      const found = batchOf(id);
      const again = resendUnknown ? ["cancelled", "unknown"] : ["cancelled"];
      for (const row of found.rows) if (again.includes(row.state)) row.state = "planned";
      found.batch = { ...found.batch, state: "running", endedAt: null, error: null };
      run(found);
      return shown(found);
    },
    end_batch: ({ batch: id }) => {
      const found = batchOf(id);
      for (const row of found.rows.filter(({ state }) => state === "planned" || state === "cancelled")) {
        row.state = "skipped";
        row.problem = problem("", "row.ended", "error", "The batch was ended for good before this row was sent.", {});
      }
      found.batch = { ...found.batch, state: "done", ending: "ended", error: null };
      return shown(found);
    },
    get_batch_cost: () => ({ planned: null, actual: null }),
    get_batch_mapping: ({ batch }) => batchOf(batch).mapping ?? null,
    estimate_batch_rows: ({ batch, states }) => ({
      rows: batchOf(batch).rows.filter(({ state }) => states.includes(state)).length,
      cost: null,
    }),
    preview_batch_row: ({ batch, row }) => {
      const found =
        batchOf(batch).rows.find((one) => one.row === row) ?? refusal({ code: "notFound", what: "The row" });
      return { row: found, values: { "body.1": found.name ?? "" }, bubble: lineBubble(`Hello ${found.name ?? ""}`) };
    },
    get_batch: ({ batch: id, state, group, after, limit }) => {
      const found = batchOf(id);
      const wanted = group === "ended" ? group : state;
      const rows = found.rows.filter((row) => !wanted || countedState(row) === wanted);
      const from = Number(after ?? 0);
      const to = from + limit;
      return {
        batch: shown(found),
        rows: structuredClone(rows.slice(from, to)),
        next: to < rows.length ? String(to) : null,
      };
    },
    list_batches: ({ workspace }) =>
      [...batches.values()]
        .filter(({ batch }) => batch.workspace === workspace)
        .map(shown)
        .reverse(),
    export_batch: () => ({ path: "/home/ana/customers-outcomes.csv" }),
    spread_batch: () => ({ now: 1, waiting: 1, until: Date.now() }),
    plan_round: ({ batch, group }) => {
      const origin = batchOf(batch);
      const id = `${batch}-round`;
      const rows = origin.rows.filter((row) => countedState(row) === (group === "ended" ? group : "failed"));
      const found: FakeBatch = {
        batch: {
          ...origin.batch,
          id,
          state: "planned",
          total: rows.length,
          error: null,
          ending: null,
          startedAt: null,
          origin: { batch, group, earliest: NOW },
        },
        rows: rows.map((row) => ({ ...row, state: "planned", send: null, error: null, problem: null })),
      };
      batches.set(id, found);
      return shown(found);
    },
    discard_round: ({ batch }) => {
      batches.delete(batch);
      return {};
    },
    ...peopleHandlers(batches),
  };
}
