import { Group } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./empty.module.css";

interface EmptyProps {
  Icon: TablerIcon;
  title: string;
  text?: ReactNode;
  /** What to do about it. */
  children?: ReactNode;
}

export function Empty({ Icon, title, text, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={26} stroke={1.5} aria-hidden />
      </span>
      <p className={classes.title}>{title}</p>
      {text && <p className={classes.text}>{text}</p>}
      {children && (
        <Group justify="center" gap="0.5rem" mt="0.75rem">
          {children}
        </Group>
      )}
    </div>
  );
}
