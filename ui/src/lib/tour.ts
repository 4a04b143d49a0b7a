// The tour: a card on the real screens that leads to one's own template, approved and read on the sandbox phone.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useBootstrap, usePreferences, useWorkspace } from "./desk";
import { keys } from "./ipc/keys";
import { useCommand } from "./ipc/mutations";
import { queries } from "./ipc/queries";

export const TOUR_STEPS = ["begin", "submit", "approve", "send", "read"] as const;

export interface TourProgress {
  /** The step to be done next; nothing once all are done. */
  step: (typeof TOUR_STEPS)[number] | undefined;
  /** The draft that was begun last. */
  draft: string | undefined;
  /** The template that was submitted. */
  reference: string | undefined;
  /** Who it was sent to. */
  recipient: string | undefined;
  isRejected: boolean;
}

/** How far the tour is, from what was really done since it began; nothing while it is not shown. */
export function useTourProgress(): TourProgress | undefined {
  const [{ tourStartedAt: since }] = usePreferences();
  const { id, sandbox } = useWorkspace();
  const isShown = since != null && sandbox;
  const steps = useQuery({ ...queries.firstSteps(id), enabled: isShown }).data;
  const drafts = useQuery({ ...queries.drafts(id), enabled: isShown }).data;
  if (!isShown || drafts === undefined || steps === undefined) return undefined;
  const submitted = steps.latest != null && steps.latest.submittedAt >= since ? steps.latest : undefined;
  const begun = drafts.filter(({ updatedAt }) => updatedAt >= since).sort((a, b) => b.updatedAt - a.updatedAt)[0];
  const done = {
    begin: begun !== undefined || submitted !== undefined,
    submit: submitted !== undefined,
    approve: submitted?.sendable === true,
    send: submitted?.recipient != null,
    read: submitted?.read === true,
  };
  return {
    step: TOUR_STEPS.find((step) => !done[step]),
    draft: begun?.id,
    reference: submitted?.reference,
    recipient: submitted?.recipient ?? undefined,
    isRejected: submitted?.status === "REJECTED",
  };
}

/** Starts the tour from its beginning, in the sandbox. */
export function useStartTour(): () => void {
  const { workspaces, preferences } = useBootstrap();
  const navigate = useNavigate();
  const client = useQueryClient();
  const save = useCommand("save_preferences");
  const sandbox = workspaces.find((workspace) => workspace.sandbox)?.id ?? preferences.workspace;
  return () =>
    save.mutate(
      { ...preferences, workspace: sandbox, tourStartedAt: Date.now() },
      {
        onSuccess: (saved) => {
          client.setQueryData(keys.bootstrap(), (before) => before && { ...before, preferences: saved });
          void navigate({ to: "/", search: { place: "/templates" } });
        },
      },
    );
}

/** Ends the tour, wherever it is. */
export function useEndTour(): () => void {
  const [, change] = usePreferences();
  return () => change({ tourStartedAt: null });
}
