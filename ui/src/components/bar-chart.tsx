// Bars of our own: the charting libraries assign to `toString`, `valueOf` and `constructor` of plain objects,
// which fails in a window whose Object.prototype is frozen.

import { Tooltip } from "@mantine/core";
import classes from "./bar-chart.module.css";

interface BarChartProps {
  data: readonly Record<string, string | number>[];
  /** Key of the label of each bar. */
  dataKey: string;
  /** One bar each, side by side. */
  series: readonly { name: string; label: string /** Such as `blue.5`. */; color: string }[];
  /** Height of the plot in pixels. */
  h: number;
  /** One bar of parts that make a whole, instead of bars side by side. */
  stacked?: boolean;
  valueFormatter: (value: number) => string;
}

export function BarChart({ data, dataKey, series, h, stacked = false, valueFormatter }: BarChartProps) {
  const value = (row: Record<string, string | number>, name: string) => Number(row[name] ?? 0);
  const heights = data.flatMap((row) => {
    const values = series.map(({ name }) => value(row, name));
    return stacked ? values.reduce((sum, one) => sum + one, 0) : values;
  });
  const { top, ticks } = scale(Math.max(0, ...heights));
  // Labels that would run into each other are left out; every bar says its own on hover.
  const every = Math.ceil(data.length / 15);
  return (
    <figure className={classes.chart}>
      <div className={classes.plot} style={{ height: h }}>
        {ticks.map((tick) => (
          <div key={tick} className={classes.tick} style={{ bottom: `${(tick / top) * 100}%` }}>
            <span>{valueFormatter(tick)}</span>
          </div>
        ))}
        <div className={classes.bars}>
          {data.map((row) => (
            <Tooltip key={row[dataKey]} multiline label={<Values row={row} {...{ dataKey, series, valueFormatter }} />}>
              <div className={classes.slot} data-stacked={stacked || undefined}>
                {series.map(({ name, color }) => (
                  <div
                    key={name}
                    className={classes.bar}
                    style={{ height: `${(value(row, name) / top) * 100}%`, background: cssColor(color) }}
                  />
                ))}
              </div>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={classes.labels}>
        {data.map((row, index) => (
          <span key={row[dataKey]}>{index % every === 0 ? row[dataKey] : ""}</span>
        ))}
      </div>
      <figcaption className={classes.legend}>
        {series.map(({ name, label, color }) => (
          <span key={name}>
            <i style={{ background: cssColor(color) }} />
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

type ValuesProps = Pick<BarChartProps, "dataKey" | "series" | "valueFormatter"> & {
  row: Record<string, string | number>;
};

function Values({ row, dataKey, series, valueFormatter }: ValuesProps) {
  return (
    <div className={classes.values}>
      <strong>{row[dataKey]}</strong>
      {series.map(({ name, label, color }) => (
        <span key={name}>
          <i style={{ background: cssColor(color) }} />
          {label}
          <b>{valueFormatter(Number(row[name] ?? 0))}</b>
        </span>
      ))}
    </div>
  );
}

const cssColor = (color: string) => `var(--mantine-color-${color.replace(".", "-")})`;

/** A round upper end of the axis for `highest`, and its steps. */
export function scale(highest: number): { top: number; ticks: number[] } {
  if (!(highest > 0)) return { top: 1, ticks: [0, 1] };
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  // Events are counted: there is no half of one.
  const step = Math.max(1, Math.ceil(nice * power));
  const steps = Math.ceil(highest / step);
  return { top: steps * step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}
