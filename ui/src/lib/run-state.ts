import type { RunState } from "@/bindings/app";

const UNDER_WAY: Record<RunState, boolean> = {
  planned: false,
  running: true,
  cancelling: true,
  cancelled: false,
  done: false,
  interrupted: false,
};

/** Whether a batch, a bulk action or an import is being carried out: more of its items may be sent, or some are in flight. */
export function isUnderWay({ state }: { state: RunState }): boolean {
  return UNDER_WAY[state];
}

/** The word of a state: what ended without an answer about some of its items is not simply done. */
export function shownRunState(state: RunState, unknown: number): RunState | "doneUnknown" {
  return state === "done" && unknown > 0 ? "doneUnknown" : state;
}
