import { queryOptions } from "@tanstack/react-query";
import type { FunnelQuery, PricingQuery, ReviewQuery } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder } from "@/lib/ipc/lists";

export const insightsQueries = {
  insights: (workspace: string) =>
    queryOptions({
      queryKey: [...keys.insights(workspace), "overview"],
      queryFn: () => call("get_insights", { workspace }),
    }),

  funnel: (query: FunnelQuery) => {
    // Rows of one grouping have no meaning in another.
    const key = [...keys.insights(query.workspace), "funnel", query.by] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_funnel", query),
      placeholderData: keepPreviousUnder(key),
    });
  },

  reviewTimes: (query: ReviewQuery) => {
    const key = [...keys.insights(query.workspace), "reviews"] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_review_times", query),
      placeholderData: keepPreviousUnder(key),
    });
  },

  pricing: (query: PricingQuery) => {
    const key = [...keys.insights(query.workspace), "pricing"] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_pricing", query),
      placeholderData: keepPreviousUnder(key),
    });
  },
};
