import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { composerQueries } from "./queries";
import { type ComposerStore, useComposer } from "./store";

/** Writes to the store which templates and drafts have the name and language of a new template. */
export function useNameCheck(store: ComposerStore): void {
  const { id: draft, workspace, edits } = store.getState().draft;
  const name = useComposer((state) => state.draft.template.name);
  const language = useComposer((state) => state.draft.template.language);
  const wabaIds = useComposer((state) => state.draft.wabaIds);
  const { data } = useQuery({
    ...composerQueries.nameCheck({ workspace, draft, name, language, wabaIds }),
    enabled: edits == null && name !== "" && language !== "",
  });
  useEffect(() => {
    if (data) store.getState().nameChecked(data);
  }, [data, store]);
}
