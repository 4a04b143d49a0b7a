import { useState } from "react";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";

/** Whether batches of a workspace also go to people who got a marketing message lately, and how to change that. */
export function useRepeatMarketing(workspace: string): [boolean, (repeat: boolean) => void] {
  const { preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  const stored = preferences.repeatMarketing ?? [];
  const [chosen, setChosen] = useState(stored.includes(workspace));
  const choose = (repeat: boolean) => {
    const others = stored.filter((other) => other !== workspace);
    setChosen(repeat);
    save.mutate({ ...preferences, repeatMarketing: repeat ? [...others, workspace] : others });
  };
  return [chosen, choose];
}
