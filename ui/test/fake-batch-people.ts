// What the people of the fake host's batches did. The first one who was reached wrote afterwards.

import type { BatchGroup, BatchGroups, BatchRow } from "@/bindings/app";
import type { Engagement } from "@/bindings/model";
import { countedState } from "@/features/sends/batches/shown-state";
import type { FakeBatch } from "./fake-batches";
import { FILES, listOfPeople } from "./fake-csv";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { NOW } from "./fixtures";

export type PeopleCommands = "get_batch_groups" | "list_batch_replies" | "export_batch_replies" | "retarget_batch";

/** A batch of whose people nothing is known. */
export const NO_GROUPS: BatchGroups = {
  groups: [],
  unread: 0,
  read: 0,
  replied: 0,
  repliedUnreported: 0,
  taps: [],
  mayWantToStop: 0,
  rounds: [],
};

const isReached = ({ state }: BatchRow) => state === "delivered" || state === "read";

function rowsOf(rows: BatchRow[], engagement: Engagement): BatchRow[] {
  const [writer, ...others] = rows.filter(isReached);
  if (engagement === "replied") return writer ? [writer] : [];
  return others.filter(({ state }) => state === (engagement === "read" ? "read" : "delivered"));
}

const countsOf = (rows: BatchRow[]) => ({ unread: rowsOf(rows, "unread").length, read: rowsOf(rows, "read").length });

export function peopleHandlers(batches: ReadonlyMap<string, FakeBatch>): Pick<Handlers, PeopleCommands> {
  const batchOf = (id: string) => batches.get(id) ?? refusal({ code: "notFound", what: `Batch ${id}` });
  return {
    get_batch_groups: ({ batch }) => {
      const { rows } = batchOf(batch);
      const { unread, read } = countsOf(rows);
      const failed = rows.filter(({ state }) => state === "failed").length;
      const none = { again: 0, againFrom: null, againAllFrom: null, triedOften: 0, inLaterBatch: 0 };
      const groups: BatchGroup[] = [{ group: "reached", people: unread + read + 1, ...none }];
      const later = [...batches.values()].filter(({ batch: { origin } }) => origin?.batch === batch);
      if (failed > 0) {
        groups.push({ group: "capped", people: failed, ...none, again: failed, againFrom: NOW, againAllFrom: NOW });
      }
      const ended = rows.filter((row) => countedState(row) === "ended").length;
      if (ended > 0)
        groups.push({ group: "ended", people: ended, ...none, again: ended, againFrom: 0, againAllFrom: 0 });
      return {
        ...NO_GROUPS,
        groups,
        unread,
        read,
        replied: 1,
        rounds: later.map((round) => ({
          batch: round.batch.id,
          group: round.batch.origin?.group ?? "capped",
          state: round.batch.state,
          people: round.rows.length,
        })),
      };
    },
    list_batch_replies: () => ({
      people: [
        {
          row: 2,
          contact: "5511987654321",
          recipient: "5511987654321",
          formatted: "+55 11 98765-4321",
          name: "Maria Souza",
          at: NOW,
          kind: "text",
          text: "Yes, please",
        },
      ],
    }),
    export_batch_replies: () => ({ path: "/home/ana/replies.csv" }),
    retarget_batch: ({ batch, engagement }) => {
      const { rows, mapping } = batchOf(batch);
      const file = listOfPeople(rowsOf(rows, engagement));
      FILES.set(file.id, file);
      return {
        list: { kind: "csv", file, hasCells: true },
        mapping: {
          ...mapping,
          file: { hasHeader: true, to: "Phone", name: "First name" },
          values: mapping?.values ?? {},
        },
      };
    },
  };
}
