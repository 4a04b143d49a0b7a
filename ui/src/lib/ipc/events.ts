// Refetches what an event of the host makes stale (`stale.ts`).

import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { DeskEvent } from "@/bindings/app";
import { onDeskEvent, takeEarlyEvents } from "./client";
import { keys } from "./keys";
import { staleAfterEvent } from "./stale";

/** Keeps the queries of `client` up to date while the page is open. Returns a function that stops it. */
export function followEvents(client: QueryClient): () => void {
  const refresher = new Refresher(client);
  const follow = (event: DeskEvent) => {
    if (event.type === "syncFailed") client.setQueryData(keys.syncFailure(event.workspace), event.error);
    if (event.type === "syncFinished") client.setQueryData(keys.syncFailure(event.workspace), null);
    if (event.type === "syncFinished" || event.type === "syncFailed") {
      client.setQueryData(keys.syncProgress(event.workspace), null);
    }
    if (event.type === "syncProgress") {
      const { pages, templates, total = null } = event;
      client.setQueryData(keys.syncProgress(event.workspace), { pages, templates, total });
    }
    if (event.type === "projectionProgress") {
      const { done, total, rebuilding } = event;
      client.setQueryData(keys.projection(), { done, total, rebuilding, behind: Math.max(0, total - done) });
    }
    for (const queryKey of staleAfterEvent(event)) refresher.refresh(queryKey);
  };
  const stop = onDeskEvent(follow);
  takeEarlyEvents().forEach(follow);
  return () => {
    stop();
    refresher.stop();
  };
}

/** Throttle of refetches of one key, in milliseconds: ten events a second may make it stale. */
const PAUSE = 500;

/** Refetches stale queries: at once the first time, then after the answer and a pause. */
class Refresher {
  private readonly client: QueryClient;
  /** Keys that are being refetched or pausing, and whether they became stale again meanwhile. */
  private readonly busy = new Map<string, boolean>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private stopped = false;

  constructor(client: QueryClient) {
    this.client = client;
  }

  refresh(queryKey: QueryKey): void {
    const hash = hashKey(queryKey);
    // The list of events refetches by its own rules.
    const refetchType = queryKey[0] === keys.events()[0] ? "none" : "active";
    if (refetchType === "none") {
      void this.client.invalidateQueries({ queryKey, refetchType });
    } else if (this.busy.has(hash)) {
      this.busy.set(hash, true);
    } else {
      this.busy.set(hash, this.isUnanswered(queryKey));
      void this.client.invalidateQueries({ queryKey }).finally(() => this.pause(queryKey, hash));
    }
  }

  /** Whether a first answer is in flight. It may be older than the event, and invalidating does not ask again for it. */
  private isUnanswered(queryKey: QueryKey): boolean {
    const inFlight = this.client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
    return inFlight.some(({ state }) => state.data === undefined);
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private pause(queryKey: QueryKey, hash: string): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const again = this.busy.get(hash) ?? false;
      this.busy.delete(hash);
      if (again) this.refresh(queryKey);
    }, PAUSE);
    this.timers.add(timer);
  }
}

/** Calls `handler` for every event while the component is mounted. */
export function useDeskEvent(handler: (event: DeskEvent) => void): void {
  const latest = useEffectEvent(handler);
  useEffect(() => onDeskEvent((event) => latest(event)), []);
}
