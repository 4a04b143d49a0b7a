import {
  IconArchive,
  IconEye,
  IconHistory,
  IconPencil,
  IconSend,
  IconTrash,
  IconWebhook,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import classes from "./template-screen.module.css";

const ICONS: Record<string, TablerIcon> = {
  event: IconWebhook,
  observed: IconEye,
  submitted: IconSend,
  edited: IconPencil,
  archived: IconArchive,
  unarchived: IconArchive,
  deleted: IconTrash,
};

/** What happened to a template, newest first. */
export function History({ entries }: { entries: HistoryEntry[] }) {
  const { t } = useTranslation("templates");
  if (entries.length === 0) {
    return <Empty Icon={IconHistory} title={t("history.none")} text={t("history.noneText")} />;
  }
  return (
    <ol className={classes.timeline} aria-label={t("tab.history")}>
      {entries.map((entry, place) => (
        <Entry key={place} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { t, i18n } = useTranslation("templates");
  const Icon = ICONS[entry.origin] ?? IconHistory;
  const key = `history.origin.${entry.origin}`;
  const origin = i18n.exists(key, { ns: "templates" }) ? t(key as "history.origin.event") : entry.origin;
  // Events are words in capitals; anything else names a field that changed.
  const isStatus = entry.what !== "" && entry.what === entry.what.toUpperCase();
  return (
    <li className={classes.entry}>
      <span className={classes.dot} aria-hidden>
        <Icon size={15} stroke={1.7} />
      </span>
      <span className={classes.what}>
        {isStatus ? <StatusBadge status={entry.what} /> : <strong>{entry.what}</strong>}
        <span className={classes.quiet}>{origin}</span>
      </span>
      <span className={classes.quiet}>
        <Instant at={entry.at} format="full" />
      </span>
      {(entry.before != null || entry.detail != null) && (
        <p className={classes.change}>
          {entry.before != null && (
            <>
              <del>{entry.before}</del> →{" "}
            </>
          )}
          {entry.detail != null && <ins>{entry.detail}</ins>}
        </p>
      )}
    </li>
  );
}
