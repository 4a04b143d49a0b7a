import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { IconLayoutSidebarLeftCollapse } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DraftRow, TemplateRow } from "@/bindings/app";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { cleanFilter, type TemplateFilter, writeValues } from "@/lib/template-filter";
import { DraftCard, TemplateCard } from "./card";
import classes from "./review.module.css";

interface ColumnProps {
  /** Status, `ARCHIVED`, or `DRAFT`. */
  status: string;
  /** How many there are; the cards may be fewer. */
  count: number;
  rows: TemplateRow[];
  drafts?: DraftRow[];
  filter: TemplateFilter;
  /** Reviews that began before it are longer than usual; Unix milliseconds. */
  overdueBefore: number;
  /** How long a review usually takes, in milliseconds. */
  usual: number;
  sandbox: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

export function Column(props: ColumnProps) {
  const { status, count, rows, drafts = [], filter, overdueBefore, usual, sandbox, isOpen, onOpen } = props;
  const { t } = useTranslation("review");
  const text = useStatusText();
  const [current, setCurrent] = useState<string>();
  const title = status === "DRAFT" ? t("drafts") : text(status);
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
          <StatusBadge status={status} size="md" />
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
          {rows.map((row) => (
            <li key={row.reference}>
              <TemplateCard
                row={row}
                isOverdue={status === "PENDING" && row.stateSince != null && row.stateSince < overdueBefore}
                usual={status === "PENDING" ? usual : undefined}
                decides={sandbox && status === "PENDING"}
                isStop={row.reference === stop}
                onFocus={() => setCurrent(row.reference)}
              />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Link to="/templates" search={listed(status, filter)} className={classes.more}>
          {t("more", { count: more })}
        </Link>
      )}
    </section>
  );
}

/** The list of templates narrowed to a column. */
function listed(status: string, { archived: _, ...filter }: TemplateFilter) {
  if (status === "DRAFT") return { view: "drafts" as const };
  return cleanFilter(
    status === "ARCHIVED" ? { ...filter, status: "", archived: "only" } : { ...filter, status: writeValues([status]) },
  );
}
