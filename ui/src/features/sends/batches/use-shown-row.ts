import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { nameOf } from "@/components/recipient-form";
import { queries } from "@/lib/ipc/queries";
import type { BatchDraft } from "./draft";

interface ShownRow {
  /** The person of the address book, if it is one. */
  person: Recipient | undefined;
  /** Whose message it is. */
  label: string;
  /** Its place among the rows that can be shown, from 0, and how many these are. */
  row: number;
  rows: number;
}

/** Which of the recipients is shown: one of the first rows of the file, or of the chosen people. */
export function useShownRow(draft: BatchDraft, workspace: string, asked: number): ShownRow {
  const { t } = useTranslation("batches");
  const book = useQuery(queries.recipients({ workspace }));
  const { source, file, ids } = draft;
  const rows = source === "recipients" ? ids.length : (file?.sample.length ?? 0);
  const row = Math.max(0, Math.min(asked, rows - 1));
  if (source === "recipients") {
    const person = book.data?.rows.find(({ id }) => id === ids[row]);
    return { person, label: person ? nameOf(person) : "", row, rows };
  }
  const line = file?.sampleLines[row];
  return { person: undefined, label: line === undefined ? "" : t("rows.row", { row: line }), row, rows };
}
