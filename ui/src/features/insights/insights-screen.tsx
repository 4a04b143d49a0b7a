import { IconChartBar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Facet, Insights } from "@/bindings/app";
import { BarChart } from "@/components/bar-chart";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { ProjectionBar } from "@/components/projection-bar";
import { useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { dayTable } from "./figures";
import classes from "./insights.module.css";

/** What was counted here: templates, statuses and events. Every chart has its figures as a table beside it. */
export function InsightsScreen() {
  const { t } = useTranslation("insights");
  const workspace = useWorkspace();
  const insights = useQuery(queries.insights(workspace.id));
  const data = insights.data;
  const empty = data && data.templates.length === 0 && data.kinds.length === 0 && data.statuses.length === 0;
  return (
    <>
      <PageHeader title={t("title")} detail={t("detail")} />
      <ProjectionBar />
      {insights.error && <ErrorNotice error={insights.error} onRetry={() => void insights.refetch()} />}
      {insights.isPending && <Loading />}
      {empty && <Empty Icon={IconChartBar} title={t("empty.title")} text={t("empty.text")} />}
      {data && !empty && <Figures data={data} />}
    </>
  );
}

const COLORS: Record<string, string> = {
  sent: "blue.5",
  delivered: "cyan.6",
  read: "teal.6",
  failed: "red.6",
};
const OTHERS = ["grape.5", "orange.5", "gray.5"];

function Figures({ data }: { data: Insights }) {
  const { t, i18n } = useTranslation("insights");
  const status = useStatusText();
  const kind = (word: string) =>
    i18n.exists(`kind.${word}`, { ns: "activity" }) ? t(`kind.${word}` as "kind.status", { ns: "activity" }) : word;
  const { words, rows } = dayTable(data.days);
  const day = new Intl.DateTimeFormat(i18n.language, { day: "numeric", month: "short", timeZone: "UTC" });
  const named = (iso: string) => {
    const date = new Date(`${iso}T00:00:00Z`);
    return Number.isNaN(date.getTime()) ? iso : day.format(date);
  };
  let other = 0;
  const series = words.map((word) => ({
    name: word,
    label: status(word),
    color: COLORS[word] ?? OTHERS[other++ % OTHERS.length] ?? "gray.5",
  }));
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <div className={classes.page}>
      <Card title={t("days.title")} text={t("days.text")} wide>
        {rows.length === 0 ? (
          <p className={classes.text}>{t("days.none")}</p>
        ) : (
          <>
            <div aria-hidden>
              <BarChart
                h={240}
                data={rows.map((row) => ({ ...row.counts, day: named(row.day) }))}
                dataKey="day"
                series={series}
                valueFormatter={(value) => number.format(value)}
              />
            </div>
            <details className={classes.details}>
              <summary>{t("asTable")}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard */}
              <section className={classes.wide} aria-label={t("days.title")} tabIndex={0}>
                <table className={classes.table}>
                  <thead>
                    <tr>
                      <th scope="col">{t("days.day")}</th>
                      {words.map((word) => (
                        <th key={word} scope="col">
                          {status(word)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.day}>
                        <th scope="row">{named(row.day)}</th>
                        {words.map((word) => (
                          <td key={word}>{number.format(row.counts[word] ?? 0)}</td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            </details>
          </>
        )}
      </Card>
      <Card title={t("templates.title")} text={t("templates.text")}>
        <Facets facets={data.templates} word={status} column={t("templates.column")} none={t("templates.none")} />
      </Card>
      <Card title={t("statuses.title")} text={t("statuses.text")}>
        <Facets facets={data.statuses} word={status} column={t("statuses.column")} none={t("statuses.none")} />
      </Card>
      <Card title={t("kinds.title")} text={t("kinds.text")}>
        <Facets facets={data.kinds} word={kind} column={t("kinds.column")} none={t("kinds.none")} />
      </Card>
    </div>
  );
}

function Card({ title, text, wide, children }: { title: string; text: string; wide?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} data-wide={wide || undefined} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {children}
    </section>
  );
}

interface FacetsProps {
  facets: Facet[];
  word: (value: string) => string;
  column: string;
  none: string;
}

/** Counts as a table whose rows carry a bar each. */
function Facets({ facets, word, column, none }: FacetsProps) {
  const { t, i18n } = useTranslation("insights");
  if (facets.length === 0) return <p className={classes.text}>{none}</p>;
  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...facets.map(({ count }) => count));
  return (
    <table className={classes.table} data-bars>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col">{t("count")}</th>
        </tr>
      </thead>
      <tbody>
        {facets.map(({ value, count }) => (
          <tr key={value}>
            <th scope="row">
              <span>{word(value)}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.fill} style={{ width: `${(100 * count) / most}%` }} />
              </span>
            </th>
            <td>{number.format(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
