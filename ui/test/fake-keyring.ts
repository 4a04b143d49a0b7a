// The fake host's keyring. A locked one can be unlocked.

import type { DeskEvent, KeyringState } from "@/bindings/app";
import type { Handlers } from "./fake-host";

const STATES: Record<string, KeyringState> = {
  locked: { state: "locked" },
  none: { state: "missing", reason: "no Secret Service on the session bus" },
  failing: { state: "unavailable", reason: "the collection “Login” refused the request" },
};

/** The state that the page's address chooses. */
export function keyringState(chosen: URLSearchParams): KeyringState {
  return STATES[chosen.get("keyring") ?? ""] ?? { state: "available" };
}

export function keyringHandlers(
  emit: (event: DeskEvent) => void,
  chosen: URLSearchParams,
): Pick<Handlers, "refresh_secrets"> {
  return {
    refresh_secrets: ({ unlock }) => {
      if (unlock && chosen.get("keyring") === "locked") chosen.delete("keyring");
      const state = keyringState(chosen);
      emit({ type: "keyringChanged", state });
      return state;
    },
  };
}
