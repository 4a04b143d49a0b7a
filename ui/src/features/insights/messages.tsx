import { SegmentedControl } from "@mantine/core";
import { IconMessageCircleOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Funnel, FunnelQuery, FunnelRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { Toolbar } from "@/components/toolbar";
import { useWorkspace } from "@/lib/desk";
import { CoverageNote, useUnknownSenderText } from "./coverage";
import { ExportButton } from "./export-button";
import { FailureCodes } from "./failure-codes";
import { FunnelTable, knowsClicks } from "./funnel-table";
import classes from "./insights.module.css";
import { MessageFilters } from "./message-filters";
import { Card, useDayStart, useNumber, useShare } from "./parts";
import { everyPeriod, MAX_PERIODS, type Period, periodText } from "./periods";
import { Bars } from "./plot";
import { insightsQueries } from "./queries";
import { daysOf, isReversed, route, useChange } from "./range";
import { RangeFields } from "./range-fields";
import { senderOf } from "./sender-filter";
import { seriesOf } from "./series";

const GROUPS = ["template", "language", "category", "day", "week", "month"] as const;
type Group = (typeof GROUPS)[number];

const PERIODS: readonly Group[] = ["day", "week", "month"];
export const isPeriod = (by: Group): by is Period => PERIODS.includes(by);

/** Maximum number of rows of a request. */
const ROWS = 100;

/** What became of the messages sent from here: how far they came, why they failed, by what they were. */
export function Messages() {
  const { t } = useTranslation("insights");
  const unknownSender = useUnknownSenderText();
  const search = route.useSearch();
  const { id: workspace } = useWorkspace();
  const days = daysOf(search);
  const by = GROUPS.find((name) => name === search.by) ?? "template";
  const query: FunnelQuery = {
    workspace,
    ...days,
    by,
    template: search.template ?? null,
    language: search.language ?? null,
    category: search.category ?? null,
    ...senderOf(search),
    limit: ROWS,
  };
  const reversed = isReversed(days);
  const funnel = useQuery({ ...insightsQueries.funnel(query), enabled: !reversed });
  const data = funnel.data;
  const nothing = data !== undefined && data.covers.sends === 0;
  return (
    <>
      <Toolbar
        end={<ExportButton request={{ what: "funnel", funnel: query }} disabled={data === undefined || nothing} />}
      >
        <RangeFields />
        <MessageFilters workspace={workspace} days={days} />
      </Toolbar>
      {funnel.error && <ErrorNotice error={funnel.error} onRetry={() => void funnel.refetch()} />}
      {funnel.isLoading && <Loading />}
      {nothing && (
        <Empty
          Icon={IconMessageCircleOff}
          title={t("messages.empty")}
          text={`${t("messages.emptyText")} ${unknownSender(data.covers)}`.trim()}
        />
      )}
      {data && !nothing && <Figures data={data} by={by} />}
    </>
  );
}

function Figures({ data, by }: { data: Funnel; by: Group }) {
  const { t } = useTranslation("insights");
  const number = useNumber();
  const dayStart = useDayStart();
  const change = useChange();
  return (
    <div className={classes.page} data-pairs>
      <CoverageNote
        covers={data.covers}
        counted={t("messages.counted", { count: data.covers.sends, number: number(data.covers.sends) })}
      />
      <Card title={t("messages.funnel")} text={t("messages.funnelText")}>
        <Steps row={data.total} />
      </Card>
      <Card title={t("messages.failures")} text={t("messages.failuresText")}>
        <FailureCodes codes={data.total.codes} failed={data.total.failed} />
      </Card>
      <Card
        wide
        title={t("messages.grouped")}
        text={`${t("messages.groupedText")} ${dayStart}`}
        aside={
          <SegmentedControl
            size="xs"
            className={classes.groups}
            aria-label={t("messages.groupBy")}
            value={by}
            onChange={(next) => change({ by: next })}
            data={GROUPS.map((value) => ({ value, label: t(`by.${value}`) }))}
          />
        }
      >
        {isPeriod(by) && <OverTime rows={data.rows} period={by} />}
        <FunnelTable rows={data.rows} by={by} />
        {data.more > 0 && <p className={styles.small}>{t("messages.more", { count: data.more })}</p>}
      </Card>
    </div>
  );
}

/** How many messages came how far, each step with its share of the one it is measured by. */
function Steps({ row }: { row: FunnelRow }) {
  const { t } = useTranslation("insights");
  const number = useNumber();
  const share = useShare();
  const steps = [
    { name: "sent", count: row.sent, share: "" },
    { name: "delivered", count: row.delivered, share: share(row.delivered, row.sent), of: t("of.sent") },
    { name: "read", count: row.read, share: share(row.read, row.delivered), of: t("of.delivered") },
    { name: "replied", count: row.replied, share: share(row.replied, row.delivered), of: t("of.delivered") },
    ...(knowsClicks(row)
      ? [
          {
            name: "clicked",
            count: row.clicked,
            share: share(row.clicked, row.tappable),
            of: t("of.tappable"),
          } as const,
        ]
      : []),
    { name: "failed", count: row.failed, share: share(row.failed, row.sent), of: t("of.sent") },
  ] as const;
  const most = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.name} data-step={step.name}>
            <span>{t(`step.${step.name}`)}</span>
            <span className={classes.bar} aria-hidden>
              <span style={{ width: `${(100 * step.count) / most}%` }} />
            </span>
            <strong>{number(step.count)}</strong>
            <span className={classes.share}>{"of" in step && step.share !== "" && `${step.share} ${step.of}`}</span>
          </li>
        ))}
      </ol>
      <p className={styles.small}>
        {!knowsClicks(row) && `${t("step.clicked")}: ${t("clicksUnknown")}. `}
        {t("clicksHint")}
      </p>
      {row.waiting > 0 && (
        <p className={styles.small}>{t("messages.waiting", { count: row.waiting, number: number(row.waiting) })}</p>
      )}
    </>
  );
}

const LIFE = ["sent", "delivered", "read", "replied", "failed"] as const;

function OverTime({ rows, period }: { rows: FunnelRow[]; period: Period }) {
  const { t, i18n } = useTranslation("insights");
  const found = new Map(rows.map((row) => [row.key, row]));
  const keys = everyPeriod([...found.keys()], period);
  if (keys.length > MAX_PERIODS) return <p className={styles.small}>{t("messages.tooMany")}</p>;
  return (
    <Bars
      rows={keys.map((key) => {
        const row = found.get(key);
        return {
          key,
          label: periodText(key, period, i18n.language),
          counts: Object.fromEntries(LIFE.map((name) => [name, row?.[name] ?? 0])),
        };
      })}
      series={seriesOf(LIFE, (name) => t(`step.${name as (typeof LIFE)[number]}`))}
    />
  );
}
