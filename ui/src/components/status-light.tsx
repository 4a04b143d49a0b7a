import type { ReceiverState } from "@/bindings/app";
import classes from "./status-light.module.css";

/** A dot in the color of the receiver's state. The state is in the text beside it. */
export function StatusLight({ state }: { state: ReceiverState["state"] }) {
  return <span className={classes.light} data-state={state} aria-hidden />;
}
