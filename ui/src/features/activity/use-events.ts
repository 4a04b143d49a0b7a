import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { EventPage, EventRow } from "@/bindings/app";
import { useDeskEvent } from "@/lib/ipc/events";
import type { Filter } from "./filter";
import { activityQueries } from "./queries";

/** Time between two questions for what is new, in milliseconds. */
const PAUSE = 250;

/**
 * The events that pass the filter. While `live`, what is new is asked for as it comes, and only the first page of it;
 * otherwise the list stays as it is and `missed` counts.
 */
export function useEvents(filter: Filter, live: boolean) {
  const client = useQueryClient();
  const options = activityQueries.events(filter);
  const events = useInfiniteQuery(options);
  const [missed, setMissed] = useState(0);
  const { isFetching, isStale, isPlaceholderData, data } = events;

  useDeskEvent((event) => {
    if (event.type === "eventsStored" && event.workspaces.includes(filter.workspace ?? "")) {
      setMissed((before) => before + event.count);
    }
  });

  const key = JSON.stringify(options.queryKey);
  const refresh = useCallback(() => {
    const queryKey = JSON.parse(key) as typeof options.queryKey;
    setMissed(0);
    client.setQueryData<InfiniteData<EventPage>>(queryKey, (known) =>
      known ? { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) } : known,
    );
    void client.refetchQueries({ queryKey, exact: true });
  }, [client, key]);

  // Stale without a count: it was shown before, and something came in meanwhile.
  const outdated = missed > 0 || (isStale && data !== undefined && !isPlaceholderData);
  useEffect(() => {
    if (!live || !outdated || isFetching || events.error) return;
    const timer = setTimeout(refresh, PAUSE);
    return () => clearTimeout(timer);
  }, [live, outdated, isFetching, events.error, refresh]);

  const rows = useMemo<EventRow[] | undefined>(() => data?.pages.flatMap((page) => page.rows), [data]);
  const last = data?.pages.at(-1);
  return {
    events,
    rows,
    /** New events since what is shown was asked for, whether or not they pass the filter. */
    missed,
    outdated,
    /** Where the search stopped because few events match; going on from there is for the person to decide. */
    searchedTo: last?.next == null ? undefined : (last.searchedTo ?? undefined),
    behind: data?.pages[0]?.behind ?? 0,
  };
}
