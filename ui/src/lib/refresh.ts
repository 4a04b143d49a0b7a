import { useQueryClient } from "@tanstack/react-query";
import type { RefreshTemplates, SyncReport } from "@/bindings/app";
import { keys } from "./ipc/keys";
import { useCommand } from "./ipc/mutations";
import { type TemplateFilter, valuesOf } from "./template-filter";

/** Filters that the provider supports. */
export type RefreshFilter = Omit<RefreshTemplates, "workspace">;

/** Refreshes the listing of a workspace. A failure is shown above the list until a refresh succeeds. */
export function useRefreshTemplates() {
  const client = useQueryClient();
  const { mutate, isPending } = useCommand("refresh_templates");
  const refresh = (workspace: string, filter: RefreshFilter = {}, onSuccess?: (report: SyncReport) => void) =>
    mutate(
      { workspace, ...filter },
      {
        // The host tells of failures of the network; what stops it before, such as missing credentials, comes here only.
        onError: ({ error }) => {
          // One is under way already; how that one ends comes as an event.
          if (error.code === "conflict") return;
          client.setQueryData(keys.syncFailure(workspace), error);
          client.setQueryData(keys.syncProgress(workspace), null);
        },
        onSuccess: (report) => {
          client.setQueryData(keys.syncFailure(workspace), null);
          client.setQueryData(keys.syncProgress(workspace), null);
          onSuccess?.(report);
        },
      },
    );
  return { refresh, isPending };
}

/** The part of a filter that the provider supports: one value each, and a search in names. */
export function refreshFilter(filter: TemplateFilter): RefreshFilter {
  const only = (text: string | undefined) => {
    const values = valuesOf(text);
    return values.length === 1 && values[0] !== "" ? values[0] : undefined;
  };
  const asked = {
    status: only(filter.status),
    category: only(filter.category),
    waba: only(filter.waba),
    businessId: only(filter.business),
    search: filter.q,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}
