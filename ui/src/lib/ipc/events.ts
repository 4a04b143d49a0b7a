// Events say what happened; this table says which answers that makes stale.

import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { DeskEvent } from "@/bindings/app";
import { onDeskEvent } from "./client";
import { keys } from "./keys";

type EventOf<T extends DeskEvent["type"]> = Extract<DeskEvent, { type: T }>;
type StaleTable = { [T in DeskEvent["type"]]: (event: EventOf<T>) => QueryKey[] };

const templateBranches = (workspace: string): QueryKey[] => [
  keys.templates(workspace),
  keys.template(workspace),
  keys.versions(workspace),
  keys.versionComparison(workspace),
  keys.history(workspace),
  keys.removedTemplates(workspace),
  keys.editContext(),
  keys.reviewBoard(workspace),
  keys.languageMatrix(workspace),
  keys.sendForm(workspace),
  ["sendPreview"],
];

const STALE: StaleTable = {
  templateStatusChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  templateCategoryChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  templateQualityChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  templatesChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  orderProgress: ({ workspace, id }) => [
    keys.orders(workspace),
    keys.order(workspace, id),
    keys.orderItems(workspace, id),
  ],
  syncProgress: () => [],
  // The listing may be unchanged, but "as of" is not.
  syncFinished: ({ workspace }) => [
    keys.templates(workspace),
    keys.languageMatrix(workspace),
    keys.template(workspace),
    keys.sendForm(workspace),
    ["sendPreview"],
  ],
  syncFailed: () => [],
  sendUpdated: ({ workspace, id }) => [
    keys.sends(workspace),
    keys.send(id),
    // Of the batch on the screen, its counts. Its rows may be many pages: their list asks for them at its own pace.
    keys.batch(),
    keys.batches(workspace),
    keys.conversation(workspace),
    keys.contacts(workspace),
    keys.insights(workspace),
    keys.phones(),
    keys.phoneMessages(),
  ],
  batchProgress: ({ workspace, id }) => [keys.batches(workspace), keys.batch(id)],
  eventsStored: ({ workspaces }) => [
    keys.events(),
    ...workspaces.flatMap((workspace) => [keys.insights(workspace), keys.endpoints(workspace)]),
  ],
  messageReceived: ({ workspace, contact }) => [
    keys.contacts(workspace),
    keys.conversation(workspace, contact),
    keys.serviceWindow(workspace),
    // Answers to sends stand on their pages.
    ["send"],
    keys.phones(),
    keys.phoneMessages(),
  ],
  webhooksFailing: ({ workspace }) => [keys.bootstrap(), keys.refusedDeliveries(), keys.endpoints(workspace)],
  tokenExpiring: () => [keys.bootstrap()],
  open: () => [],
  preferencesChanged: () => [],
  windowHidden: () => [],
  receiverChanged: () => [keys.bootstrap(), keys.refusedDeliveries(), ["endpoints"]],
  workspacesChanged: () => [keys.bootstrap(), ["workspace"], ["sendForm"]],
  keyringChanged: () => [keys.bootstrap(), ["workspace"]],
  draftSaved: ({ workspace }) => [keys.drafts(workspace), keys.reviewBoard(workspace)],
  submissionProgress: () => [],
  // On the way, the event itself tells how far it is.
  importProgress: ({ workspace, file }) => (file === "" ? [keys.lastImport(workspace)] : []),
  filesDragged: () => [],
  // What was read in while much was waiting is shown when it is complete; the progress itself is in the event.
  projectionProgress: ({ done, total }) =>
    done < total
      ? []
      : [
          keys.events(),
          ["event"],
          ["contacts"],
          ["conversation"],
          ["history"],
          ["insights"],
          ["sends"],
          ["send"],
          keys.batch(),
          ["batchRows"],
          ["batches"],
        ],
  storageChanged: () => [keys.storage()],
  // A script is used up by the messages it is for.
  sandboxChanged: () => [keys.phones(), keys.phoneMessages(), keys.phoneScripts(), keys.sandboxSettings()],
};

export function staleKeys<T extends DeskEvent["type"]>(event: EventOf<T>): QueryKey[] {
  // An event of a newer host has no row; it makes nothing stale.
  const row = STALE[event.type as T] as ((event: EventOf<T>) => QueryKey[]) | undefined;
  return row?.(event) ?? [];
}

/** Keeps the answers in `client` true while the page is open. Returns the function that stops it. */
export function followEvents(client: QueryClient): () => void {
  const refresher = new Refresher(client);
  const stop = onDeskEvent((event) => {
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
    for (const queryKey of staleKeys(event)) refresher.refresh(queryKey);
  });
  return () => {
    stop();
    refresher.stop();
  };
}

/** Time between two questions for the same answer, in milliseconds: ten events a second may make it stale. */
const PAUSE = 500;

/** Asks again for what became stale: at once the first time, then once the answer is there and a pause has passed. */
class Refresher {
  private readonly client: QueryClient;
  /** Keys that are being asked for or pausing, and whether they became stale again meanwhile. */
  private readonly busy = new Map<string, boolean>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private stopped = false;

  constructor(client: QueryClient) {
    this.client = client;
  }

  refresh(queryKey: QueryKey): void {
    const hash = hashKey(queryKey);
    // The list of events decides itself when it asks.
    const refetchType = queryKey[0] === keys.events()[0] ? "none" : "active";
    if (refetchType === "none") {
      void this.client.invalidateQueries({ queryKey, refetchType });
    } else if (this.busy.has(hash)) {
      this.busy.set(hash, true);
    } else {
      this.busy.set(hash, false);
      void this.client.invalidateQueries({ queryKey }).finally(() => this.pause(queryKey, hash));
    }
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
