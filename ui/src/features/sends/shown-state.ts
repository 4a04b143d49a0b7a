import type { SendRow, SendState } from "@/bindings/app";

/** The state of a send in lists: one that waits to be sent again, or could not leave, is not refused by anybody. */
export const shownState = ({ state, retryAt, notSent }: Pick<SendRow, "state" | "retryAt" | "notSent">) => {
  if (retryAt != null) return "sending";
  return notSent ? "notSent" : state;
};

/** Whether a message was neither delivered nor given up, so that another status may follow. */
export const awaitsStatus = (state: SendState) => state === "recorded" || state === "accepted" || state === "sent";
