import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CheckName } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";

export const composerQueries = {
  draft: (draft: string) =>
    queryOptions({
      queryKey: ["draft", draft],
      queryFn: () => call("get_draft", { draft }),
      // The composer owns the draft while it is open; a refetch must not overwrite what is being typed.
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),

  /** `version` counts the changes of the draft while its plan is shown. */
  plan: (draft: string, version: number) =>
    queryOptions({
      queryKey: ["plan", draft, version],
      queryFn: () => call("plan_submission", { draft }),
      gcTime: 0,
      staleTime: 0,
    }),

  /** Refetched with the drafts, some of which may have the name. */
  nameCheck: (request: CheckName) =>
    queryOptions({
      queryKey: [...keys.drafts(request.workspace), "name", request] as const,
      queryFn: () => call("check_name", request),
      placeholderData: keepPreviousData,
      staleTime: 0,
      gcTime: 0,
    }),

  /** Only of a draft that edits a template. */
  editContext: (draft: string) =>
    queryOptions({ queryKey: keys.editContext(draft), queryFn: () => call("get_edit_context", { draft }) }),

  recentFiles: (format: string) =>
    queryOptions({
      queryKey: keys.recentFiles(format),
      queryFn: () => call("list_recent_files", { format }),
      // Files come and go outside the app.
      staleTime: 0,
    }),
};
