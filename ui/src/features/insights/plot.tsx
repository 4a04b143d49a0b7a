import { useTranslation } from "react-i18next";
import { BarChart } from "@/components/bar-chart";
import classes from "./insights.module.css";
import { useNumber } from "./parts";

export interface Series {
  name: string;
  label: string;
  /** Such as `blue.5`. */
  color: string;
}

interface BarsProps {
  rows: readonly { key: string; label: string; counts: Record<string, number> }[];
  series: readonly Series[];
  /** One bar each of parts that make a whole, instead of bars side by side. */
  stacked?: boolean;
}

interface PlotProps extends BarsProps {
  title: string;
  /** What the first column holds. */
  column: string;
}

/** Bars, hidden from screen readers: a table has the same figures. */
export function Bars({ rows, series, stacked = false }: BarsProps) {
  const number = useNumber();
  return (
    <div aria-hidden>
      <BarChart
        h={220}
        data={rows.map((row) => ({ ...row.counts, label: row.label }))}
        dataKey="label"
        series={series}
        stacked={stacked}
        valueFormatter={number}
      />
    </div>
  );
}

/** Bars for the eye, and the same figures as a table for everybody. */
export function Plot({ title, column, rows, series, stacked = false }: PlotProps) {
  const { t } = useTranslation("insights");
  const number = useNumber();
  return (
    <>
      <Bars rows={rows} series={series} stacked={stacked} />
      <details className={classes.details}>
        <summary>{t("asTable")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard */}
        <section className={classes.scroll} aria-label={t("table", { title })} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                {series.map(({ name, label }) => (
                  <th key={name} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.label}</th>
                  {series.map(({ name }) => (
                    <td key={name}>{number(row.counts[name] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}
