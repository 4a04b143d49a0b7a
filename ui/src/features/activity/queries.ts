import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { EventQuery } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder, PAGE_SIZE } from "@/lib/ipc/lists";

export const activityQueries = {
  events: (query: Omit<EventQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.events(query.workspace ?? ""), query] as const,
      queryFn: ({ pageParam }) => call("list_events", { ...query, after: pageParam, limit: PAGE_SIZE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.events(query.workspace ?? "")),
      // The list says itself when it asks again, and for its first page alone: there may be hundreds.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: false,
    }),

  event: (event: string) => queryOptions({ queryKey: keys.event(event), queryFn: () => call("get_event", { event }) }),

  comparison: (left: string, right: string) =>
    queryOptions({
      queryKey: ["comparison", left, right],
      queryFn: () => call("compare_events", { left, right }),
      // What came in never changes.
      staleTime: Number.POSITIVE_INFINITY,
    }),

  refusedDeliveries: () =>
    queryOptions({
      queryKey: keys.refusedDeliveries(),
      queryFn: () => call("list_refused_deliveries", {}),
      // The list asks again by itself: an event for each refused delivery would let any sender flood the window.
      refetchOnMount: "always",
      refetchInterval: 5_000,
    }),
};
