import type { ReactNode } from "react";
import classes from "./toolbar.module.css";

interface ToolbarProps {
  /** The search field, which takes the width that the other controls leave. */
  search?: ReactNode;
  /** Filters, and actions on what is listed. */
  children?: ReactNode;
  /** At the end of the row, apart from the filters. */
  end?: ReactNode;
  /** Under the row, such as the filters that are set. */
  below?: ReactNode;
  /** Whether a line separates it from the list, as within a column. */
  divided?: boolean;
  /** Accessible name. With it, the controls are a group and not the search of the screen. */
  label?: string;
  className?: string | undefined;
}

/** The row of search, filters and actions over a list. */
export function Toolbar({ search, children, end, below, divided, label, className }: ToolbarProps) {
  const props = {
    className: className ? `${classes.toolbar} ${className}` : classes.toolbar,
    "data-divided": divided || undefined,
  };
  const content = (
    <>
      <div className={classes.row}>
        {search && <div className={classes.search}>{search}</div>}
        {children}
        {end && <div className={classes.end}>{end}</div>}
      </div>
      {below}
    </>
  );
  return label === undefined ? (
    <search {...props}>{content}</search>
  ) : (
    <div role="group" aria-label={label} {...props}>
      {content}
    </div>
  );
}
