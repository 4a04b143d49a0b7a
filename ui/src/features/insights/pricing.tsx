import { IconReceipt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Pricing as PricingFigures, PricingQuery } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { RateCardHint } from "@/components/rate-card-hint";
import { useCategoryText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { Toolbar } from "@/components/toolbar";
import { useWorkspace } from "@/lib/desk";
import { CoverageNote, useUnknownSenderText } from "./coverage";
import { ExportButton } from "./export-button";
import classes from "./insights.module.css";
import { Card, useDayStart, useNumber } from "./parts";
import { everyPeriod, MAX_PERIODS, periodText } from "./periods";
import { Plot } from "./plot";
import { insightsQueries } from "./queries";
import { daysOf, isReversed, route } from "./range";
import { RangeFields } from "./range-fields";
import { SenderFilter, senderOf } from "./sender-filter";
import { seriesOf } from "./series";
import { Spend } from "./spend";

/** What the channel charges for, as its statuses say: categories, and whether a message is billable. */
export function Pricing() {
  const { t } = useTranslation("insights");
  const unknownSender = useUnknownSenderText();
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const days = daysOf(search);
  const query: PricingQuery = { workspace, ...days, ...senderOf(search) };
  const pricing = useQuery({ ...insightsQueries.pricing(query), enabled: !isReversed(days) });
  const data = pricing.data;
  const nothing = data !== undefined && data.rows.length === 0;
  return (
    <>
      <Toolbar
        end={<ExportButton request={{ what: "pricing", pricing: query }} disabled={data === undefined || nothing} />}
      >
        <RangeFields />
        <SenderFilter workspace={workspace} />
      </Toolbar>
      {pricing.error && <ErrorNotice error={pricing.error} onRetry={() => void pricing.refetch()} />}
      {pricing.isLoading && <Loading />}
      {nothing && (
        <Empty
          Icon={IconReceipt}
          title={t("pricing.empty")}
          text={`${t("pricing.emptyText")} ${unknownSender(data.covers)}`.trim()}
        />
      )}
      {data && !nothing && <Figures data={data} query={query} />}
    </>
  );
}

const withUnknownLast = (rows: PricingFigures["rows"]) =>
  rows.toSorted((a, b) => Number(a.category === "") - Number(b.category === ""));

const PRICES = ["billable", "free", "unknown"] as const;

function Figures({ data, query }: { data: PricingFigures; query: PricingQuery }) {
  const { t, i18n } = useTranslation("insights");
  const category = useCategoryText();
  const number = useNumber();
  const dayStart = useDayStart();
  const counts = new Map(data.days.map(({ day, counts }) => [day, counts]));
  const words = [...new Set(data.days.flatMap(({ counts }) => counts.map(({ value }) => value)))];
  const keys = everyPeriod([...counts.keys()], "day");
  const word = (value: string) => {
    const price = PRICES.find((name) => name === value);
    if (price) return t(`pricing.${price}`);
    return value === "" ? t("messages.unsaid") : category(value);
  };
  const sum = (of: (typeof PRICES)[number]) => data.rows.reduce((total, row) => total + row[of], 0);
  const model = (value: string) => {
    if (value === "") return t("messages.unsaid");
    return i18n.exists(`pricing.models.${value}`, { ns: "insights" })
      ? t(`pricing.models.${value}` as "pricing.models.PMP")
      : value;
  };
  return (
    <div className={classes.page} data-pairs>
      <CoverageNote
        covers={data.covers}
        counted={t("messages.counted", { count: data.covers.sends, number: number(data.covers.sends) })}
      />
      {data.spend ? <Spend spend={data.spend} query={query} /> : <RateCardHint />}
      <Card wide title={t("pricing.byCategory")} text={t("pricing.byCategoryText")}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard */}
        <section className={classes.wide} aria-label={t("table", { title: t("pricing.byCategory") })} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("by.category")}</th>
                <th scope="col" className={classes.words}>
                  {t("pricing.model")}
                </th>
                {PRICES.map((name) => (
                  <th key={name} scope="col">
                    {t(`pricing.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {withUnknownLast(data.rows).map((row) => (
                <tr key={`${row.category} ${row.model}`}>
                  <th scope="row">{row.category === "" ? t("messages.unsaid") : category(row.category)}</th>
                  <td className={classes.words}>{model(row.model)}</td>
                  {PRICES.map((name) => (
                    <td key={name}>{number(row[name])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t("pricing.total")}</th>
                <td className={classes.words} />
                {PRICES.map((name) => (
                  <td key={name}>{number(sum(name))}</td>
                ))}
              </tr>
            </tfoot>
          </table>
        </section>
      </Card>
      <Card wide title={t("pricing.overTime")} text={`${t("pricing.overTimeText")} ${dayStart}`}>
        {keys.length === 0 && <p className={styles.small}>{t("pricing.noDays")}</p>}
        {keys.length > MAX_PERIODS && <p className={styles.small}>{t("messages.tooManyDays")}</p>}
        {keys.length > 0 && keys.length <= MAX_PERIODS && (
          <Plot
            title={t("pricing.overTime")}
            column={t("by.day")}
            stacked
            rows={keys.map((key) => ({
              key,
              label: periodText(key, "day", i18n.language),
              counts: Object.fromEntries((counts.get(key) ?? []).map(({ value, count }) => [value, count])),
            }))}
            series={seriesOf(words, word)}
          />
        )}
      </Card>
    </div>
  );
}
