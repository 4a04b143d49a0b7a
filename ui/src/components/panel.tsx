import { CloseButton } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  /** Name of the landmark. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** The column at the end of a `SplitView`: what belongs to the main column, such as a preview. */
export function Panel({ label, className, children }: PanelProps) {
  return (
    <aside className={className ? `${classes.panel} ${className}` : classes.panel} aria-label={label}>
      {children}
    </aside>
  );
}

interface DetailPanelProps extends Omit<PanelProps, "className"> {
  title: string;
  closeLabel: string;
  /** Whether it covers the main column, for a comparison. */
  wide?: boolean;
  onClose: () => void;
}

/** Details of a row of the list. It takes the focus when it opens; Escape closes it. */
export function DetailPanel({ label, title, closeLabel, wide = false, onClose, children }: DetailPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside
      className={classes.panel}
      data-closable
      data-wide={wide || undefined}
      aria-label={label}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === "Escape" && !defaultPrevented) onClose();
      }}
    >
      <div className={classes.head}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <CloseButton aria-label={closeLabel} onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
