import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ErrorNotice } from "./error-notice";
import classes from "./notice-list.module.css";

interface Notice {
  id: string;
  /** `critical` has the color of an error; the others that of a warning. */
  severity?: string;
  text: ReactNode;
  dismissLabel: string;
  onDismiss: () => void;
}

interface NoticeListProps {
  label: string;
  notices: Notice[];
  /** Why the last one could not be dismissed. */
  error: Error | null;
}

/** What needs attention until a person dismisses it. */
export function NoticeList({ label, notices, error }: NoticeListProps) {
  if (notices.length === 0) return null;
  return (
    <>
      <ul className={classes.notices} aria-label={label}>
        {notices.map(({ id, severity, text, dismissLabel, onDismiss }) => (
          <li key={id} className={classes.notice} data-severity={severity}>
            <IconAlertTriangle size={16} stroke={1.9} className={classes.severity} aria-hidden />
            <span>{text}</span>
            <ActionIcon size="sm" variant="subtle" color="gray" aria-label={dismissLabel} onClick={onDismiss}>
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {error && <ErrorNotice error={error} />}
    </>
  );
}
