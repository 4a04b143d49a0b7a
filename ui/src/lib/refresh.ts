import { useQueryClient } from "@tanstack/react-query";
import { useCommand } from "./ipc/mutations";
import { keys } from "./ipc/queries";

/** Fetches the listing of a workspace anew. A failure stands above the list until one succeeds. */
export function useRefreshTemplates() {
  const client = useQueryClient();
  const { mutate, isPending } = useCommand("refresh_templates");
  const refresh = (workspace: string) =>
    mutate(
      { workspace },
      {
        // The host tells of failures of the network; what stops it before, such as missing credentials, comes here only.
        onError: ({ error }) => {
          // One is under way already; how that one ends comes as an event.
          if (error.code !== "conflict") client.setQueryData(keys.syncFailure(workspace), error);
        },
        onSuccess: () => client.setQueryData(keys.syncFailure(workspace), null),
      },
    );
  return { refresh, isPending };
}
