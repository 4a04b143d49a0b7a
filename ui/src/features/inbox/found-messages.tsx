import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import type { DeskFailure } from "@/lib/ipc/errors";
import { route, withSearch } from "./filter";
import classes from "./inbox.module.css";
import { inboxQueries } from "./queries";

/** Messages whose text has the words of the search, received ones and those sent from here, each the newest first. */
export function FoundMessages({ workspace, words }: { workspace: string; words: string }) {
  const { t } = useTranslation("inbox");
  const received = useInfiniteQuery(inboxQueries.foundMessages(workspace, words));
  const sent = useInfiniteQuery(inboxQueries.foundSends(workspace, words));
  const receivedRows = received.data?.pages
    .flatMap((page) => page.rows)
    .flatMap(({ id, contact, message, contactName, subject, summary, at }) =>
      contact == null ? [] : { id, contact, message: message ?? undefined, name: contactName ?? subject, summary, at },
    );
  const sentRows = sent.data?.pages
    .flatMap((page) => page.rows)
    .map(({ send, contact, name, formatted, excerpt, at }) => ({
      id: send,
      contact,
      message: send,
      name: name || formatted,
      summary: excerpt,
      at,
    }));
  const lists = [
    { ...received, title: t("foundMessages"), rows: receivedRows ?? [] },
    { ...sent, title: t("foundSent"), rows: sentRows ?? [] },
  ];
  const shown = lists.filter(({ rows, hasNextPage, error }) => rows.length > 0 || hasNextPage || error);
  if (shown.length === 0) return null;
  return (
    <div className={classes.found}>
      {shown.map(({ title, rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage }) => (
        <FoundList
          key={title}
          title={title}
          rows={rows}
          error={error}
          onRetry={() => void refetch()}
          isFetching={isFetchingNextPage}
          onOlder={hasNextPage ? () => void fetchNextPage() : undefined}
        />
      ))}
    </div>
  );
}

interface FoundListProps {
  title: string;
  rows: readonly FoundRow[];
  error: DeskFailure | null;
  onRetry: () => void;
  isFetching: boolean;
  /** Absent where there is nothing older. */
  onOlder: (() => void) | undefined;
}

interface FoundRow {
  id: string;
  contact: string;
  /** What marks it in its conversation. */
  message: string | undefined;
  name: string;
  summary: string;
  at: number;
}

function FoundList({ title, rows, error, onRetry, isFetching, onOlder }: FoundListProps) {
  const { t } = useTranslation("inbox");
  const id = useId();
  const search = route.useSearch();
  if (error) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {rows.map(({ id: row, contact, message, name, summary, at }) => (
          <li key={row}>
            <Link to="/inbox" search={withSearch(search, { contact, message })}>
              <span className={classes.foundName}>
                <strong dir="auto">{name}</strong>
                <Instant at={at} format="day" />
              </span>
              <span className={styles.truncate} dir="auto">
                {summary}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {onOlder && (
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={onOlder}>
          {t("foundOlder")}
        </Button>
      )}
    </section>
  );
}
