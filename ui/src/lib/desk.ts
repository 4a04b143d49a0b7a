// What the person works with now: the bootstrap answer is always at hand below the shell.

import { useSuspenseQuery } from "@tanstack/react-query";
import type { Bootstrap, Preferences, WorkspaceSummary } from "@/bindings/app";
import { useCommand } from "./ipc/mutations";
import { queries } from "./ipc/queries";

export function useBootstrap(): Bootstrap {
  return useSuspenseQuery(queries.bootstrap()).data;
}

/** The workspace shown: as chosen, else the first one. */
export function useWorkspace(): WorkspaceSummary {
  return workspaceOf(useBootstrap());
}

export function workspaceOf({ workspaces, preferences }: Bootstrap): WorkspaceSummary {
  const chosen = workspaces.find(({ id }) => id === preferences.workspace) ?? workspaces[0];
  if (!chosen) throw new Error("The sandbox workspace always exists");
  return chosen;
}

/** The preferences, and a function that stores changes to them. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const { preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  return [preferences, (change) => save.mutate({ ...preferences, ...change })];
}
