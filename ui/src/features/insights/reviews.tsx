import { IconChecklist } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewQuery, ReviewTimes } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useReasonTitle } from "@/components/rejection-reason";
import { useCategoryText, useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { Toolbar } from "@/components/toolbar";
import { useWorkspace } from "@/lib/desk";
import { AccountFilter } from "./account-filter";
import { CoverageNote } from "./coverage";
import { ExportButton } from "./export-button";
import classes from "./insights.module.css";
import { Card, Facets, useNumber, useShare } from "./parts";
import { Plot } from "./plot";
import { insightsQueries } from "./queries";
import { daysOf, isReversed, route } from "./range";
import { RangeFields } from "./range-fields";

/** How long reviews take, how they end, and why templates are rejected. */
export function Reviews() {
  const { t } = useTranslation("insights");
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const days = daysOf(search);
  const query: ReviewQuery = { workspace, ...days, waba: search.waba ?? null };
  const reviews = useQuery({ ...insightsQueries.reviewTimes(query), enabled: !isReversed(days) });
  const data = reviews.data;
  const nothing = data !== undefined && data.decided === 0 && data.pending === 0;
  return (
    <>
      <Toolbar
        end={<ExportButton request={{ what: "reviews", reviews: query }} disabled={data === undefined || nothing} />}
      >
        <RangeFields />
        <AccountFilter workspace={workspace} />
      </Toolbar>
      {reviews.error && <ErrorNotice error={reviews.error} onRetry={() => void reviews.refetch()} />}
      {reviews.isLoading && <Loading />}
      {nothing && <Empty Icon={IconChecklist} title={t("reviews.empty")} text={t("reviews.emptyText")} />}
      {data && !nothing && <Figures data={data} />}
    </>
  );
}

function Figures({ data }: { data: ReviewTimes }) {
  const { t } = useTranslation("insights");
  const status = useStatusText();
  const category = useCategoryText();
  const reason = useReasonTitle();
  const duration = useDurationText();
  const number = useNumber();
  const share = useShare();
  const length = (milliseconds: number | null | undefined) => (milliseconds == null ? "—" : duration(milliseconds));
  return (
    <div className={classes.page} data-pairs>
      <CoverageNote
        covers={data.covers}
        counted={t("reviews.counted", { count: data.decided, number: number(data.decided) })}
      />
      <Card wide title={t("reviews.times")} text={t("reviews.timesText")}>
        <dl className={classes.tiles}>
          <Tile name={t("reviews.median")} value={length(data.medianMs)} />
          <Tile name={t("reviews.p90")} value={length(data.p90Ms)} />
          <Tile name={t("reviews.shortest")} value={length(data.shortestMs)} />
          <Tile name={t("reviews.longest")} value={length(data.longestMs)} />
          <Tile
            name={t("reviews.pending")}
            value={
              <Link to="/review" className={classes.link}>
                {number(data.pending)}
              </Link>
            }
          />
          <Tile name={t("reviews.oldest")} value={length(data.oldestPendingMs)} />
        </dl>
        {data.buckets.some(({ count }) => count > 0) && (
          <Plot
            title={t("reviews.times")}
            stacked
            column={t("reviews.within")}
            rows={data.buckets.map(({ upToMs, count }, index) => ({
              key: String(index),
              label:
                upToMs == null
                  ? t("reviews.longer", { duration: length(data.buckets[index - 1]?.upToMs) })
                  : t("reviews.upTo", { duration: duration(upToMs) }),
              counts: { count },
            }))}
            series={[{ name: "count", label: t("reviews.decisions"), color: "brand.6" }]}
          />
        )}
      </Card>
      <Card title={t("reviews.outcomes")} text={t("reviews.outcomesText")}>
        <Facets facets={data.outcomes} word={status} column={t("statuses.column")} none={t("reviews.noOutcome")} />
      </Card>
      <Card title={t("reviews.reasons")} text={t("reviews.reasonsText")}>
        <Facets
          facets={data.reasons}
          word={(word) => (
            <>
              {reason(word)} {word !== "" && <code className={classes.quiet}>{word}</code>}
            </>
          )}
          column={t("reviews.reason")}
          none={t("reviews.noReason")}
        />
      </Card>
      <Card wide title={t("reviews.byCategory")} text={t("reviews.byCategoryText")}>
        {data.byCategory.length === 0 ? (
          <p className={styles.small}>{t("reviews.noOutcome")}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
          <section className={classes.wide} aria-label={t("table", { title: t("reviews.byCategory") })} tabIndex={0}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t("by.category")}</th>
                  <th scope="col">{t("reviews.decisions")}</th>
                  <th scope="col">{status("APPROVED")}</th>
                  <th scope="col">{status("REJECTED")}</th>
                  <th scope="col">{t("reviews.median")}</th>
                </tr>
              </thead>
              <tbody>
                {data.byCategory.map((row) => (
                  <tr key={row.key}>
                    <th scope="row">{row.key === "" ? t("messages.unsaid") : category(row.key)}</th>
                    <td>{number(row.decided)}</td>
                    <td>
                      {number(row.approved)} <span className={classes.share}>{share(row.approved, row.decided)}</span>
                    </td>
                    <td>
                      {number(row.rejected)} <span className={classes.share}>{share(row.rejected, row.decided)}</span>
                    </td>
                    <td>{length(row.medianMs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Card>
    </div>
  );
}

function Tile({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
