import type { ReactNode } from "react";
import classes from "./settings.module.css";

/** The scrolling content of a section of the settings. */
export function SettingsPage({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>{children}</div>
    </div>
  );
}
