import type { SendRow } from "@/bindings/app";

/** The state of a send in lists: one that waits to be sent again is not refused for good. */
export const shownState = ({ state, retryAt }: Pick<SendRow, "state" | "retryAt">) =>
  retryAt == null ? state : "sending";
