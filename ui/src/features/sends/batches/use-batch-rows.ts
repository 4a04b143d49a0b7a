import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RowState } from "@/bindings/app";
import type { OutcomeGroup } from "@/bindings/model";
import { useDeskEvent } from "@/lib/ipc/events";
import { sendsQueries } from "../queries";

/** Time between two questions for a page of rows, in milliseconds. */
const PAUSE = 500;

/**
 * The rows of a batch. They follow its events, and the more pages are shown the less often: however far the list was
 * scrolled, the host is asked for two pages a second at most.
 */
export function useBatchRows(workspace: string, batch: string, state: RowState | undefined, group?: OutcomeGroup) {
  const rows = useInfiniteQuery(sendsQueries.batchRows(batch, state, group));
  const { data, isFetching, refetch } = rows;
  const [outdated, setOutdated] = useState(false);
  useDeskEvent((event) => {
    const mine =
      (event.type === "batchProgress" && event.id === batch) ||
      ((event.type === "sendUpdated" || event.type === "sendsUpdated") && event.workspace === workspace);
    if (mine) setOutdated(true);
  });
  const pages = data?.pages.length ?? 1;
  useEffect(() => {
    if (!outdated || isFetching) return;
    const timer = setTimeout(() => {
      setOutdated(false);
      void refetch();
    }, PAUSE * pages);
    return () => clearTimeout(timer);
  }, [outdated, isFetching, refetch, pages]);
  return { rows, all: data?.pages.flatMap((page) => page.rows) };
}
