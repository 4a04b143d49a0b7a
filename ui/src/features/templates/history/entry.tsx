import { Button } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconCategory,
  IconCirclePlus,
  IconEye,
  IconFileText,
  IconGauge,
  IconHistory,
  IconLineDashed,
  IconSend,
  IconTrash,
  IconUser,
  IconWebhook,
  type TablerIcon,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, HistoryKind } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge, useCategoryText, useQualityText, useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { parsePath, usePathText } from "@/components/template-path";
import { useWorkspace } from "@/lib/desk";
import { useWabaName } from "@/lib/waba-names";
import classes from "./history.module.css";

const SOURCES: Record<HistoryEntry["source"], TablerIcon> = {
  webhook: IconWebhook,
  sync: IconEye,
  own: IconUser,
  gap: IconLineDashed,
};

const KINDS: Record<HistoryKind, TablerIcon> = {
  status: IconHistory,
  category: IconCategory,
  quality: IconGauge,
  content: IconFileText,
  archived: IconArchive,
  unarchived: IconArchiveOff,
  deleted: IconTrash,
  added: IconCirclePlus,
  submitted: IconSend,
  gap: IconLineDashed,
};

interface EntryProps {
  entry: HistoryEntry;
  reference: string;
  /** Whether the template is gone: there are no versions to go to then. */
  removed: boolean;
  /** Whether it says which WABAs it is about. */
  withWabas: boolean;
}

/** One entry: what happened, when as far as known, and the source. */
export function Entry({ entry, reference, removed, withWabas }: EntryProps) {
  const { t } = useTranslation("history");
  const wabaName = useWabaName(useWorkspace().id);
  const raw = useId();
  const [isRawShown, setRawShown] = useState(false);
  if (entry.source === "gap") return <Gap entry={entry} />;
  const Source = SOURCES[entry.source] ?? IconHistory;
  const failed = entry.outcome === "failed" || entry.outcome === "unknown" ? entry.outcome : undefined;
  return (
    <>
      <Dot Icon={KINDS[entry.kind as HistoryKind] ?? IconHistory} tone={failed} />
      <div className={classes.words}>
        <p className={classes.what}>
          <What entry={entry} />
        </p>
        <p className={styles.small}>
          <span className={classes.source}>
            <Source size={14} stroke={1.8} aria-hidden /> {t(`source.${entry.source}`)}
          </span>
          {" · "}
          <When entry={entry} />
          {withWabas && entry.wabas.length > 0 && (
            <>
              {" · "}
              <span title={entry.wabas.join(", ")}>{entry.wabas.map(wabaName).join(", ")}</span>
            </>
          )}
          {(entry.deliveries ?? 1) > 1 && <> · {t("deliveries", { count: entry.deliveries ?? 1 })}</>}
        </p>
        {failed && <p className={classes.outcome}>{t(`outcome.${failed}`)}</p>}
        {entry.dueAt != null && <Due at={entry.dueAt} />}
        <Reason entry={entry} />
        {entry.advice && (
          <p dir="auto">
            <span className={styles.small}>{t("advice")}</span> <q>{entry.advice}</q>
          </p>
        )}
        {(entry.raw || entry.item || (entry.version && !removed)) && (
          <p className={classes.actions}>
            {entry.raw && (
              <Button
                size="compact-xs"
                variant="default"
                aria-expanded={isRawShown}
                aria-controls={isRawShown ? raw : undefined}
                onClick={() => setRawShown(!isRawShown)}
              >
                {t(isRawShown ? "raw.hide" : "raw.show")}
              </Button>
            )}
            {entry.item && (
              <Link to="/activity" search={{ event: entry.item }} className={classes.link}>
                {t("inActivity")}
              </Link>
            )}
            {entry.version && !removed && (
              <Link
                to="/templates/$reference"
                params={{ reference }}
                search={{ tab: "versions", compare: entry.version }}
                className={classes.link}
              >
                {t("compareVersion")}
              </Link>
            )}
          </p>
        )}
        {isRawShown && entry.raw && (
          <div id={raw} className={classes.raw}>
            <JsonView text={entry.raw} label={t("raw.label")} maxHeight="20rem" />
          </div>
        )}
      </div>
    </>
  );
}

/** When an announced change takes place. */
function Due({ at }: { at: number }) {
  const { t } = useTranslation("history");
  return (
    <p>
      {t("due")} <Instant at={at} format="full" />
    </p>
  );
}

/** Why: of a rejection what its word means, of anything else what was said. */
function Reason({ entry: { kind, after, reason } }: { entry: HistoryEntry }) {
  const reasonTitle = useReasonTitle();
  if (kind !== "status" || after !== "REJECTED") {
    return reason && reason !== "NONE" ? <p dir="auto">{reason}</p> : null;
  }
  return (
    <p>
      {reasonTitle(reason)} {reason && <span className={styles.small}>{reason}</span>}
    </p>
  );
}

function Dot({ Icon, tone }: { Icon: TablerIcon; tone?: string | undefined }) {
  return (
    <span className={classes.dot} data-tone={tone} aria-hidden>
      <Icon size={15} stroke={1.7} />
    </span>
  );
}

/** Kinds that say by themselves what happened. */
const PLAIN: ReadonlySet<string> = new Set<HistoryKind>(["archived", "unarchived", "deleted", "added", "submitted"]);

/** The change in words: from what to what. */
function What({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation("history");
  const title = useTitle();
  const word = useWord();
  const { kind } = entry;
  const [before, after] = PLAIN.has(kind) ? [] : [entry.before, entry.after];
  return (
    <>
      <strong>{title(entry)}</strong>
      {before != null && <del dir="auto">{word(kind, before)}</del>}
      {before != null && after != null && (
        <span className={classes.arrow} role="img" aria-label={t("becomes")}>
          →
        </span>
      )}
      {after != null &&
        (kind === "status" ? <StatusBadge status={after} /> : <ins dir="auto">{word(kind, after)}</ins>)}
    </>
  );
}

/** What happened; the word of a kind that is newer than this window as it came. */
function useTitle(): (entry: HistoryEntry) => string {
  const { t, i18n } = useTranslation("history");
  const place = usePathText();
  return ({ kind, field, source }) => {
    // A list that leaves a template out does not say that it was deleted.
    if (kind === "deleted" && source === "sync") return t("kind.unlisted");
    const name = i18n.exists(`kind.${kind}`, { ns: "history" }) ? t(`kind.${kind}` as "kind.status") : kind;
    if (kind === "submitted" && field === "edit") return t("kind.edited");
    if (kind === "category" && field === "announced") return t("kind.announced");
    if (kind !== "content" || field == null || field === "components") return name;
    return `${name}: ${place(parsePath(field.startsWith("/") ? field : `/${field}`))}`;
  };
}

/** The word of a value in the language of the window. */
function useWord(): (kind: string, value: string) => string {
  const status = useStatusText();
  const category = useCategoryText();
  const quality = useQualityText();
  return (kind, value) => {
    if (kind === "status") return status(value);
    if (kind === "category") return category(value);
    if (kind === "quality") return quality(value);
    return value === "" ? "“”" : value;
  };
}

/** When it happened: to the moment, between two, or no later than one. */
function When({ entry: { at, exact, notBefore } }: { entry: HistoryEntry }): ReactNode {
  const { t } = useTranslation("history");
  if (exact) return <Instant at={at} format="full" />;
  if (notBefore == null) {
    return (
      <>
        {t("when.latest")} <Instant at={at} format="full" />
      </>
    );
  }
  return (
    <>
      {t("when.between")} <Instant at={notBefore} format="full" /> {t("when.and")} <Instant at={at} format="full" />
    </>
  );
}

/** A time of which nothing is known, with why. */
function Gap({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation("history");
  return (
    <>
      <Dot Icon={IconLineDashed} />
      <div className={classes.words}>
        <p className={classes.what}>
          <strong>{t("kind.gap")}</strong>
        </p>
        <p className={styles.small}>
          <When entry={{ ...entry, exact: false }} />
        </p>
        <p>{t(`gap.${entry.gap ?? "other"}`)}</p>
        {entry.reason && <p className={styles.small}>{entry.reason}</p>}
      </div>
    </>
  );
}
