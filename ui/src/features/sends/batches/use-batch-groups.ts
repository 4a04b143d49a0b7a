import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Batch } from "@/bindings/app";
import { useDeskEvent } from "@/lib/ipc/events";
import { isUnderWay } from "@/lib/run-state";
import { sendsQueries } from "../queries";

/** Time between two questions, in milliseconds: the host looks at every row. */
const PAUSE = 2_000;

/** The people of a batch by what became of them, once it has ended. They follow its events at a pace of their own. */
export function useBatchGroups(batch: Batch) {
  const groups = useQuery({
    ...sendsQueries.batchGroups(batch.id),
    enabled: !isUnderWay(batch) && batch.state !== "planned",
  });
  const { isFetching, refetch } = groups;
  const rounds = groups.data?.rounds ?? [];
  const [outdated, setOutdated] = useState(false);
  useDeskEvent((event) => {
    if (event.type === "batchProgress") {
      if (rounds.some(({ batch: round, state }) => round === event.id && state !== event.state)) setOutdated(true);
      return;
    }
    const isMine =
      (event.type === "sendUpdated" || event.type === "sendsUpdated" || event.type === "eventsStored") &&
      ("workspaces" in event ? event.workspaces.includes(batch.workspace) : event.workspace === batch.workspace);
    if (isMine) setOutdated(true);
  });
  useEffect(() => {
    if (!outdated || isFetching) return;
    const timer = setTimeout(() => {
      setOutdated(false);
      void refetch();
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [outdated, isFetching, refetch]);
  return groups;
}
