import {
  IconAlertTriangle,
  IconArchive,
  IconArrowForwardUp,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconClock,
  IconPlayerPause,
  IconPlayerStop,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { BatchEnding, CallState, ImportState, LocalRowState, RunState } from "@/bindings/app";
import { readableWord } from "@/lib/readable-word";
import classes from "./status-badge.module.css";
import styles from "./styles.module.css";

interface Look {
  color: string;
  Icon: TablerIcon;
}

/** States of ours. */
const STATES: Record<
  | RunState
  | BatchEnding
  | LocalRowState
  | CallState
  | Extract<ImportState, "notSent">
  | "paused"
  | "pausing"
  | "doneUnknown",
  Look
> = {
  planned: { color: "gray", Icon: IconCircleDashed },
  skipped: { color: "gray", Icon: IconArrowForwardUp },
  notSent: { color: "gray", Icon: IconClock },
  sending: { color: "blue", Icon: IconClock },
  cancelled: { color: "gray", Icon: IconBan },
  cancelling: { color: "orange", Icon: IconBan },
  paused: { color: "orange", Icon: IconPlayerPause },
  pausing: { color: "orange", Icon: IconPlayerPause },
  running: { color: "blue", Icon: IconClock },
  interrupted: { color: "orange", Icon: IconPlayerPause },
  done: { color: "teal", Icon: IconCheck },
  doneUnknown: { color: "orange", Icon: IconAlertTriangle },
  ended: { color: "gray", Icon: IconPlayerStop },
  allFailed: { color: "red", Icon: IconX },
  recorded: { color: "gray", Icon: IconClock },
  accepted: { color: "blue", Icon: IconClock },
  refused: { color: "red", Icon: IconX },
  unknown: { color: "orange", Icon: IconAlertTriangle },
};

const LOOKS: Record<string, Look> = {
  ...STATES,
  APPROVED: { color: "teal", Icon: IconCheck },
  REINSTATED: { color: "teal", Icon: IconCheck },
  PENDING: { color: "yellow", Icon: IconClock },
  IN_REVIEW: { color: "yellow", Icon: IconClock },
  IN_APPEAL: { color: "yellow", Icon: IconClock },
  REJECTED: { color: "red", Icon: IconX },
  PAUSED: { color: "orange", Icon: IconPlayerPause },
  FLAGGED: { color: "orange", Icon: IconAlertTriangle },
  LIMIT_EXCEEDED: { color: "orange", Icon: IconAlertTriangle },
  DISABLED: { color: "red", Icon: IconBan },
  LOCKED: { color: "red", Icon: IconBan },
  DELETED: { color: "gray", Icon: IconX },
  PENDING_DELETION: { color: "gray", Icon: IconX },
  ARCHIVED: { color: "gray", Icon: IconArchive },
  sent: { color: "blue", Icon: IconCheck },
  delivered: { color: "cyan", Icon: IconChecks },
  read: { color: "teal", Icon: IconChecks },
  failed: { color: "red", Icon: IconX },
};
const OTHER = { color: "gray", Icon: IconCircleDashed };

interface StatusBadgeProps {
  status: string;
  size?: "xs" | "sm" | "md";
  /** More than the word of the status. */
  text?: string;
}

/** A status of a template, a message or a batch. The set of words is open: one without a translation is shown as words, and as it came in the tooltip. */
export function StatusBadge({ status, size = "sm", text }: StatusBadgeProps) {
  const word = useStatusText();
  const { color, Icon } = LOOKS[status] ?? OTHER;
  return (
    <span
      className={classes.badge}
      data-badge
      data-size={size}
      title={text ?? (LOOKS[status] || status === "" ? undefined : status)}
      style={
        {
          "--badge-ground": `var(--mantine-color-${color}-light)`,
          "--badge-text": `var(--mantine-color-${color}-light-color)`,
        } as CSSProperties
      }
    >
      <Icon size={12} stroke={2.2} aria-hidden />
      <span className={styles.truncate}>{text ?? word(status)}</span>
    </span>
  );
}

/** The word of a status in the language of the window. */
export function useStatusText(): (status: string) => string {
  const { t, i18n } = useTranslation();
  return (status) => {
    if (status === "") return t("status.unknown");
    // A send whose answer never came is called by its own word: `unknown` names a missing status.
    const key = `status.${status === "unknown" ? "unanswered" : status}`;
    return i18n.exists(key, { ns: "common" }) ? t(key as "status.APPROVED") : readableWord(status);
  };
}

/** The word of a category in the language of the window; its own word where it has none, a dash where nobody said it. */
export function useCategoryText(): (category: string | undefined) => string {
  const { t, i18n } = useTranslation();
  return (category) => {
    if (!category) return "–";
    // The channel writes `authentication-international` and `authentication_international`.
    const key = `category.${category.toUpperCase().replaceAll("-", "_")}`;
    return i18n.exists(key, { ns: "common" }) ? t(key as "category.UTILITY") : readableWord(category);
  };
}

/** The word of a quality rating in the language of the window; its own word where it has none. */
export function useQualityText(): (quality: string) => string {
  const { t, i18n } = useTranslation();
  return (quality) => {
    const key = `quality.${quality}`;
    return i18n.exists(key, { ns: "common" }) ? t(key as "quality.GREEN") : readableWord(quality);
  };
}
