import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactsProps {
  label?: string | undefined;
  className?: string | undefined;
  /** `dt` and `dd` in turn. */
  children: ReactNode;
}

/** Names beside their values, a fact in a row. */
export function Facts({ label, className, children }: FactsProps) {
  return (
    <dl className={className ? `${classes.facts} ${className}` : classes.facts} aria-label={label}>
      {children}
    </dl>
  );
}
