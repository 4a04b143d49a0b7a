import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SendForm } from "@/bindings/app";
import { queries } from "@/lib/ipc/queries";
import type { BatchDraft } from "./draft";

/** The draft as far as it still holds: the number is one of the workspace, the recipients are in its address book. */
export function useKnownDraft(draft: BatchDraft, workspace: string, { numbers, number: first }: SendForm): BatchDraft {
  const book = useQuery(queries.recipients({ workspace }));
  // The number may have been chosen for another template.
  const isUsable = numbers.some(({ id, problem }) => id === draft.number && problem == null);
  const number = isUsable ? draft.number : first;
  return useMemo(() => {
    const known = new Set(book.data?.rows.map(({ id }) => id));
    return { ...draft, number, ids: book.data ? draft.ids.filter((id) => known.has(id)) : draft.ids };
  }, [draft, number, book.data]);
}
