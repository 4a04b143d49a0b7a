import type { ReactNode } from "react";
import classes from "./split-view.module.css";

interface SplitViewProps {
  /** The column at the start, such as a list of conversations. */
  list?: ReactNode;
  /** The main column: one element, without margins at its top and bottom. Without it, the list has the whole width. */
  children: ReactNode;
  /** The column at the end: a `Panel`. The main column takes its width while there is none. */
  panel?: ReactNode;
  /** In a narrow window, a panel of half the width covers the main column, and a medium one without a list is below it. */
  panelWidth?: "medium" | "large" | "half";
}

/** Columns that fill the rest of a screen, and scroll each by itself. */
export function SplitView({ list, children, panel, panelWidth = "medium" }: SplitViewProps) {
  const columns = [list && children && "list", panel && panelWidth].filter(Boolean).join(" ");
  return (
    <div className={classes.split} data-columns={columns}>
      {list && <div className={classes.list}>{list}</div>}
      {children}
      {panel}
    </div>
  );
}
