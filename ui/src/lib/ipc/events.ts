// Events say what happened; this table says which answers that makes stale.

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { DeskEvent } from "@/bindings/app";
import { onDeskEvent } from "./client";
import { keys } from "./queries";

type EventOf<T extends DeskEvent["type"]> = Extract<DeskEvent, { type: T }>;
type StaleTable = { [T in DeskEvent["type"]]: (event: EventOf<T>) => QueryKey[] };

const templateBranches = (workspace: string): QueryKey[] => [
  keys.templates(workspace),
  keys.template(workspace),
  keys.versions(workspace),
  keys.editContext(),
  keys.reviewBoard(workspace),
  keys.sendForm(workspace),
];

const STALE: StaleTable = {
  templateStatusChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  templatesChanged: ({ workspace }) => [...templateBranches(workspace), keys.insights(workspace)],
  // The listing may be unchanged, but "as of" is not.
  syncFinished: ({ workspace }) => [keys.templates(workspace), keys.template(workspace)],
  syncFailed: () => [],
  sendUpdated: ({ workspace, id }) => [
    keys.sends(workspace),
    keys.send(id),
    keys.conversation(workspace),
    keys.contacts(workspace),
    keys.insights(workspace),
    keys.phones(),
    keys.phoneMessages(),
  ],
  eventsStored: ({ workspaces }) => [keys.events(), ...workspaces.map(keys.insights)],
  messageReceived: ({ workspace, contact }) => [
    keys.contacts(workspace),
    keys.conversation(workspace, contact),
    keys.phones(),
    keys.phoneMessages(),
  ],
  receiverChanged: () => [keys.bootstrap(), keys.refusedDeliveries()],
  workspacesChanged: () => [keys.bootstrap(), ["workspace"], ["sendForm"]],
  draftSaved: ({ workspace }) => [keys.drafts(workspace)],
  submissionProgress: () => [],
  filesDragged: () => [],
};

export function staleKeys<T extends DeskEvent["type"]>(event: EventOf<T>): QueryKey[] {
  // An event of a newer host has no row; it makes nothing stale.
  const row = STALE[event.type as T] as ((event: EventOf<T>) => QueryKey[]) | undefined;
  return row?.(event) ?? [];
}

/** Keeps the answers in `client` true while the page is open. Returns the function that stops it. */
export function followEvents(client: QueryClient): () => void {
  return onDeskEvent((event) => {
    if (event.type === "syncFailed") client.setQueryData(keys.syncFailure(event.workspace), event.error);
    if (event.type === "syncFinished") client.setQueryData(keys.syncFailure(event.workspace), null);
    for (const queryKey of staleKeys(event)) void client.invalidateQueries({ queryKey });
  });
}

/** Calls `handler` for every event while the component is mounted. */
export function useDeskEvent(handler: (event: DeskEvent) => void): void {
  const latest = useEffectEvent(handler);
  useEffect(() => onDeskEvent((event) => latest(event)), []);
}
