import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DraftRow, ReviewBoard, TemplateRow } from "@/bindings/app";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useFacetText } from "@/components/template-filters/facet-text";
import { cleanFilter, type TemplateFilter, writeValues } from "@/lib/template-filter";
import { DraftCard, TemplateCard } from "./card";
import classes from "./review.module.css";

interface ColumnProps {
  /** Status, `ARCHIVED`, or `DRAFT`; empty for the column of an account. */
  status: string;
  /** The account of a column, empty if unknown. */
  waba: string | undefined;
  /** How many there are; the cards may be fewer. */
  count: number;
  rows: TemplateRow[];
  drafts?: DraftRow[];
  filter: TemplateFilter;
  /** Statuses, categories and qualities by account of the templates where they differ, and announced and raised categories; by their references. */
  differing: ReviewBoard["differing"];
  accounts: ReviewBoard["accounts"];
  flagged: ReviewBoard["flagged"];
  comingCategories: ReviewBoard["comingCategories"];
  raisedCategories: ReviewBoard["raisedCategories"];
  /** Reviews that began before it are longer than usual; Unix milliseconds. */
  overdueBefore: number;
  /** Templates that are archived until this instant are at risk; Unix milliseconds. */
  riskUntil: number;
  /** How long a review usually takes, in milliseconds. */
  usual: number;
  sandbox: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

export function Column(props: ColumnProps) {
  const {
    status,
    waba,
    count,
    rows,
    drafts = [],
    filter,
    differing,
    accounts,
    flagged,
    comingCategories,
    raisedCategories,
  } = props;
  const { overdueBefore, riskUntil, usual, sandbox, isOpen, onOpen } = props;
  const { t } = useTranslation("review");
  const text = useStatusText();
  const wabaText = useFacetText();
  const [current, setCurrent] = useState<string>();
  const title = waba !== undefined ? wabaText("waba", waba) : status === "DRAFT" ? t("drafts") : text(status);
  const label = t("column", { status: title, count });
  if (!isOpen) {
    return (
      <section className={classes.closed} aria-label={label} data-column>
        <UnstyledButton aria-expanded={false} title={t("open")} onClick={() => onOpen(true)}>
          <span className={classes.upright}>
            {title} <span className={classes.count}>{count}</span>
          </span>
        </UnstyledButton>
      </section>
    );
  }
  const cards = [...drafts.map(({ id }) => id), ...rows.map(({ reference }) => reference)];
  // The card that had the focus last is where the tab key comes to.
  const stop = current !== undefined && cards.includes(current) ? current : cards[0];
  const more = count - cards.length;
  return (
    <section className={classes.column} aria-label={label} data-column>
      <header className={classes.head}>
        <h2 className={styles.row}>
          {waba === undefined ? (
            <StatusBadge status={status} size="md" />
          ) : (
            <span className={classes.account} title={waba}>
              {title}
            </span>
          )}
          <span className={classes.count}>{count}</span>
        </h2>
        <Tooltip label={t("close", { column: title })}>
          <ActionIcon size="sm" aria-expanded aria-label={t("close", { column: title })} onClick={() => onOpen(false)}>
            <IconLayoutSidebarLeftCollapse size={15} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </header>
      {cards.length === 0 ? (
        <p className={classes.none}>{t("none")}</p>
      ) : (
        <ul className={classes.cards}>
          {drafts.map((draft) => (
            <li key={draft.id}>
              <DraftCard draft={draft} isStop={draft.id === stop} onFocus={() => setCurrent(draft.id)} />
            </li>
          ))}
          {rows.map((row) => {
            const isPending = row.status === "PENDING" && !row.archived;
            return (
              <li key={row.reference}>
                <TemplateCard
                  row={row}
                  waba={waba}
                  statuses={differing[row.reference]}
                  accounts={accounts[row.reference]}
                  flagged={flagged[row.reference]}
                  comingCategory={comingCategories[row.reference]}
                  raisedCategory={raisedCategories[row.reference]}
                  isOverdue={isPending && row.stateSince != null && row.stateSince < overdueBefore}
                  riskUntil={riskUntil}
                  usual={isPending ? usual : undefined}
                  decides={sandbox && isPending}
                  isStop={row.reference === stop}
                  onFocus={() => setCurrent(row.reference)}
                />
              </li>
            );
          })}
        </ul>
      )}
      {more > 0 && (
        <Link to="/templates" search={listed(status, waba, filter)} className={classes.more}>
          {t("more", { count: more })}
        </Link>
      )}
    </section>
  );
}

/** The list of templates narrowed to a column. */
function listed(status: string, waba: string | undefined, { archived: _, lanes: __, ...filter }: TemplateFilter) {
  if (status === "DRAFT") return { view: "drafts" as const };
  if (waba !== undefined) return cleanFilter({ ...filter, waba: writeValues([waba]) });
  return cleanFilter(
    status === "ARCHIVED" ? { ...filter, status: "", archived: "only" } : { ...filter, status: writeValues([status]) },
  );
}
