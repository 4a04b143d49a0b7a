import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { route, withSearch } from "./filter";
import classes from "./inbox.module.css";
import { inboxQueries } from "./queries";

/** Received messages whose text has the words of the search, the newest first. */
export function FoundMessages({ workspace, words }: { workspace: string; words: string }) {
  const { t } = useTranslation("inbox");
  const id = useId();
  const search = route.useSearch();
  const found = useInfiniteQuery(inboxQueries.foundMessages(workspace, words));
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  const rows = found.data?.pages.flatMap((page) => page.rows).filter(({ contact }) => contact != null) ?? [];
  if (rows.length === 0 && !found.hasNextPage) {
    return found.isSuccess ? <p className={classes.noContact}>{t("sentNotSearched")}</p> : null;
  }
  return (
    <section className={classes.found} aria-labelledby={id}>
      <h2 id={id}>{t("foundMessages")}</h2>
      <ul>
        {rows.map(({ id: event, contact, message, contactName, subject, summary, at }) => (
          <li key={event}>
            <Link to="/inbox" search={withSearch(search, { contact: contact ?? "", message: message ?? undefined })}>
              <span className={classes.foundName}>
                <strong dir="auto">{contactName ?? subject}</strong>
                <Instant at={at} format="day" />
              </span>
              <span className={styles.truncate} dir="auto">
                {summary}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t("foundOlder")}
        </Button>
      )}
    </section>
  );
}
