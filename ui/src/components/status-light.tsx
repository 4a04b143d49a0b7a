import classes from "./status-light.module.css";

/** A dot in the color of a state, which is in the text beside it. */
export function StatusLight({ level }: { level: "good" | "unknown" | "warning" | "bad" }) {
  return <span className={classes.light} data-level={level} aria-hidden />;
}
