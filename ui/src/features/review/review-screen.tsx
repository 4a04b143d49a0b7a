import { IconChecklist } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewColumn, TemplateRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge, useCategoryText, useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { DecisionButtons } from "./decision-buttons";
import classes from "./review.module.css";

/** Where every template stands in its review, by status. */
export function ReviewScreen() {
  const { t } = useTranslation("review");
  const workspace = useWorkspace();
  const board = useQuery(queries.reviewBoard(workspace.id));
  const columns = board.data?.columns;
  const empty = columns?.every(({ count }) => count === 0);
  return (
    <>
      <PageHeader title={t("title")} detail={t(workspace.sandbox ? "detailSandbox" : "detail")} />
      {board.error && <ErrorNotice error={board.error} onRetry={() => void board.refetch()} />}
      {board.isPending && <Loading />}
      {empty && <Empty Icon={IconChecklist} title={t("empty.title")} text={t("empty.text")} />}
      {columns && !empty && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the board scrolls sideways, and must do so by keyboard
        <section className={classes.board} aria-label={t("board")} tabIndex={0}>
          {columns.map((column) => (
            <Column key={column.status} column={column} sandbox={workspace.sandbox} />
          ))}
        </section>
      )}
    </>
  );
}

function Column({ column: { status, count, rows }, sandbox }: { column: ReviewColumn; sandbox: boolean }) {
  const { t } = useTranslation("review");
  const text = useStatusText();
  const more = count - rows.length;
  return (
    <section className={classes.column} aria-label={t("column", { status: text(status), count })}>
      <h2 className={classes.head}>
        <StatusBadge status={status} size="md" />
        <span className={classes.count}>{count}</span>
      </h2>
      {rows.length === 0 ? (
        <p className={classes.none}>{t("none")}</p>
      ) : (
        <ul className={classes.cards}>
          {rows.map((row) => (
            <li key={row.reference}>
              <Card row={row} decides={sandbox && status === "PENDING"} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Link
          to="/templates"
          search={status === "ARCHIVED" ? { archived: "only" } : { status }}
          className={classes.more}
        >
          {t("more", { count: more })}
        </Link>
      )}
    </section>
  );
}

function Card({ row, decides }: { row: TemplateRow; decides: boolean }) {
  const { t } = useTranslation("review");
  const category = useCategoryText();
  const reasonTitle = useReasonTitle();
  const [error, setError] = useState<unknown>(null);
  return (
    <article className={classes.card}>
      <Link to="/templates/$reference" params={{ reference: row.reference }} className={classes.name}>
        {row.name}
      </Link>
      <p className={classes.about}>
        {row.language} · {category(row.category)}
      </p>
      {row.rejectedReason && (
        <p className={classes.reason} title={row.rejectedReason}>
          {reasonTitle(row.rejectedReason)}
        </p>
      )}
      <p className={classes.since}>
        {t("since")} <Instant at={row.updatedAt} />
      </p>
      {decides && <DecisionButtons reference={row.reference} name={row.name} onError={setError} />}
      {error !== null && <ErrorNotice error={error} />}
    </article>
  );
}
