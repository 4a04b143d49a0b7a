import type { SendRow } from "@/bindings/app";

/** The state of a send in lists: one that waits to be sent again, or could not leave, is not refused by anybody. */
export const shownState = ({ state, retryAt, notSent }: Pick<SendRow, "state" | "retryAt" | "notSent">) => {
  if (retryAt != null) return "sending";
  return notSent ? "notSent" : state;
};
