import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { HelpLink } from "./help-link";
import classes from "./page-header.module.css";

interface PageHeaderProps {
  title: ReactNode;
  /** Beside the title, such as a status. */
  aside?: ReactNode;
  /** Under the title, in small print. */
  detail?: ReactNode;
  /** Before the title, such as the way back. */
  lead?: ReactNode;
  /** Actions, at the end. */
  children?: ReactNode;
}

/** Heading of a screen. It can take the focus, so that a change of screen is announced. */
export function PageHeader({ title, aside, detail, lead, children }: PageHeaderProps) {
  return (
    <div className={classes.header}>
      {lead}
      <div className={classes.words}>
        <Group gap="0.25rem 0.625rem">
          <h1 tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <HelpLink />
          {aside}
        </Group>
        {detail && <div className={classes.detail}>{detail}</div>}
      </div>
      {children && <Group gap="0.5rem">{children}</Group>}
    </div>
  );
}
