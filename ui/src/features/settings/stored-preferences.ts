import type { Preferences } from "@/bindings/app";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";

/** The preferences, how to change them, and why the last change was not stored. */
export function useStoredPreferences() {
  const { preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  const shown = save.isPending ? save.variables : preferences;
  const change = (part: Partial<Preferences>) => save.mutate({ ...shown, ...part });
  return { preferences: shown, change, error: save.error };
}
