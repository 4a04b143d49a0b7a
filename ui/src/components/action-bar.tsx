import type { ReactNode } from "react";
import classes from "./action-bar.module.css";

/** Below a form: failures and the bars of actions. */
export function ActionFooter({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>;
}

interface ActionBarProps {
  /** What the actions would do, or what keeps them from it. */
  status: ReactNode;
  /** Whether the status is announced when it changes. */
  live?: boolean;
  bad?: boolean;
  /** The buttons. */
  children: ReactNode;
}

/** A sentence and, at the end, the actions it is about. */
export function ActionBar({ status, live = true, bad = false, children }: ActionBarProps) {
  return (
    <div className={classes.bar} data-action-bar>
      <p role={live ? "status" : undefined} data-bad={bad || undefined}>
        {status}
      </p>
      {children}
    </div>
  );
}
