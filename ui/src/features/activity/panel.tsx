import { CloseButton } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./activity.module.css";

interface PanelProps {
  label: string;
  title: string;
  closeLabel: string;
  /** Whether it takes the whole width, for a comparison. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Details beside a list. It takes the focus when it opens; Escape closes it. */
export function Panel({ label, title, closeLabel, wide = false, onClose, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside
      className={classes.panel}
      data-wide={wide || undefined}
      aria-label={label}
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === "Escape" && !defaultPrevented) onClose();
      }}
    >
      <div className={classes.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <CloseButton aria-label={closeLabel} onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
