import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { DeskFailure } from "@/lib/ipc/errors";
import { composerQueries } from "./queries";
import type { ComposerStore } from "./store";

/** Loads what an edit of the template may change into the store. A new template needs no request. */
export function useEditContext(store: ComposerStore): DeskFailure | undefined {
  const { id, edits } = store.getState().draft;
  const context = useQuery({ ...composerQueries.editContext(id), enabled: edits != null });
  useEffect(() => {
    if (context.data) store.getState().setContext(context.data);
  }, [context.data, store]);
  return context.error ? (context.error as DeskFailure) : undefined;
}
