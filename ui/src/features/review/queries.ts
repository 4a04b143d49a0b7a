import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder } from "@/lib/ipc/lists";
import type { TemplatesQuery } from "@/lib/ipc/queries";

export const reviewQueries = {
  /** Templates by status; `limit` are the rows of a column. */
  reviewBoard: (query: TemplatesQuery, limit: number) =>
    queryOptions({
      queryKey: [...keys.reviewBoard(query.workspace), query, limit] as const,
      queryFn: () => call("get_review_board", { ...query, offset: 0, limit }),
      placeholderData: keepPreviousUnder(keys.reviewBoard(query.workspace)),
    }),
};
