import { ActionIcon, Tooltip } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import classes from "./composer.module.css";

interface ListActionProps {
  label: string;
  Icon: TablerIcon;
  disabled?: boolean;
  /** Marks it for the focus to be led to. */
  name?: string;
  onClick: () => void;
}

/** Something done to an item of a list. At the end of its way it keeps the focus, or the keyboard would lose its place. */
export function ListAction({ label, Icon, disabled = false, name, onClick }: ListActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        className={classes.listAction}
        data-action={name}
        data-disabled={disabled || undefined}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : onClick}
        aria-label={label}
      >
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
