import { IconChartBar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { InsightsOverview } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { dayTable, facetsByCount, facetsByLife } from "./figures";
import classes from "./insights.module.css";
import { Card, Facets, useDayStart } from "./parts";
import { periodText } from "./periods";
import { Plot } from "./plot";
import { insightsQueries } from "./queries";
import { seriesOf } from "./series";

/** What was counted here: templates, statuses and events. */
export function Overview() {
  const { t } = useTranslation("insights");
  const insights = useQuery(insightsQueries.insights(useWorkspace().id));
  const data = insights.data;
  const empty = data && data.templates.length === 0 && data.kinds.length === 0 && data.statuses.length === 0;
  return (
    <>
      {insights.error && <ErrorNotice error={insights.error} onRetry={() => void insights.refetch()} />}
      {insights.isPending && <Loading />}
      {empty && <Empty Icon={IconChartBar} title={t("empty.title")} text={t("empty.text")} />}
      {data && !empty && <Figures data={data} />}
    </>
  );
}

function Figures({ data }: { data: InsightsOverview }) {
  const { t, i18n } = useTranslation("insights");
  const status = useStatusText();
  const dayStart = useDayStart();
  const kind = (word: string) =>
    i18n.exists(`kind.${word}`, { ns: "activity" }) ? t(`kind.${word}` as "kind.status", { ns: "activity" }) : word;
  const { words, rows } = dayTable(data.days);
  return (
    <div className={classes.page}>
      <Card title={t("days.title")} text={`${t("days.text")} ${dayStart}`} wide>
        {rows.length === 0 ? (
          <p className={styles.small}>{t("days.none")}</p>
        ) : (
          <Plot
            title={t("days.title")}
            column={t("days.day")}
            rows={rows.map(({ day, counts }) => ({ key: day, label: periodText(day, "day", i18n.language), counts }))}
            series={seriesOf(words, status)}
          />
        )}
      </Card>
      <Card title={t("templates.title")} text={t("templates.text")}>
        <Facets
          facets={facetsByLife(data.templates)}
          word={status}
          column={t("templates.column")}
          none={t("templates.none")}
        />
      </Card>
      <Card title={t("statuses.title")} text={t("statuses.text")}>
        <Facets
          facets={facetsByLife(data.statuses)}
          word={status}
          column={t("statuses.column")}
          none={t("statuses.none")}
        />
      </Card>
      <Card title={t("kinds.title")} text={t("kinds.text")}>
        <Facets facets={facetsByCount(data.kinds)} word={kind} column={t("kinds.column")} none={t("kinds.none")} />
      </Card>
    </div>
  );
}
