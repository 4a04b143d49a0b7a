import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { untilNextEnd } from "@/lib/ipc/next-end";

export const settingsQueries = {
  // What is in it may have changed since the question was last asked.
  contents: (workspace: string) =>
    queryOptions({
      queryKey: ["workspaceContents", workspace] as const,
      queryFn: () => call("get_workspace_contents", { workspace }),
      gcTime: 0,
    }),

  endpoints: (workspace: string) =>
    queryOptions({
      queryKey: keys.endpoints(workspace),
      queryFn: () => call("get_endpoints", { workspace }),
      // No event tells of a single refusal: a stranger could flood the window with them.
      refetchInterval: 5_000,
    }),

  delivery: (seq: number) =>
    queryOptions({ queryKey: keys.delivery(seq), queryFn: () => call("get_delivery", { seq }) }),

  presence: () =>
    queryOptions({
      queryKey: keys.presence(),
      queryFn: () => call("get_presence", {}),
      // The desktop may start a tray or a service for notifications at any time.
      refetchInterval: 10_000,
    }),

  forwarding: () =>
    queryOptions({
      queryKey: keys.forwarding(),
      queryFn: () => call("get_forwarding", {}),
      refetchInterval: ({ state }) => (state.data?.url == null ? false : 2_000),
    }),

  optOuts: (workspace: string, search: string, limit: number) =>
    queryOptions({
      queryKey: [...keys.optOuts(workspace), "list", search, limit] as const,
      queryFn: () => call("list_opt_outs", { workspace, search: search || null, limit }),
    }),

  optOutWords: (workspace: string) =>
    queryOptions({
      queryKey: [...keys.optOuts(workspace), "words"] as const,
      queryFn: () => call("list_opt_out_words", { workspace }),
    }),

  senderHealth: (workspace: string) =>
    queryOptions({
      queryKey: [...keys.accountNotices(workspace), "health"] as const,
      queryFn: () => call("list_sender_health", { workspace }),
      ...untilNextEnd,
    }),

  rateCard: (workspace: string) =>
    queryOptions({ queryKey: keys.rateCard(workspace), queryFn: () => call("get_rate_card", { workspace }) }),

  storage: () => queryOptions({ queryKey: keys.storage(), queryFn: () => call("get_storage", {}) }),
};
