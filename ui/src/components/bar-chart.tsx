// Bars of our own: the charting libraries assign to `toString`, `valueOf` and `constructor` of plain objects,
// which fails in a window whose Object.prototype is frozen.

import { Tooltip } from "@mantine/core";
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from "react";
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
  const labels = useRef<HTMLDivElement>(null);
  const every = useLabelStep(
    labels,
    data.map((row) => String(row[dataKey])),
  );
  return (
    <figure className={classes.chart}>
      <div className={classes.plot} style={{ height: h }}>
        {ticks.map((tick) => (
          <div key={tick} className={classes.tick} style={{ bottom: `${(tick / top) * 100}%` }}>
            <span>{valueFormatter(tick)}</span>
          </div>
        ))}
        <div className={classes.bars} style={{ "--slots": data.length } as CSSProperties}>
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
      <div ref={labels} className={classes.labels}>
        {data.map((row, index) => (
          <span key={row[dataKey]}>{hasLabel(index, every, data.length) ? row[dataKey] : ""}</span>
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

/** Average width of a letter or digit, and the space between two labels, in parts of the size of text. */
const LETTER = 0.56;
const SPACE = 1;

/** Labels that would run into each other are left out: one of so many is shown. Every bar says its own on hover. */
function useLabelStep(box: RefObject<HTMLElement | null>, labels: readonly string[]): number {
  const [room, setRoom] = useState<number>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth / Number.parseFloat(getComputedStyle(element).fontSize));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return labelStep(labels, room);
}

/** Whether a bar has a label; the last ones have none that would leave the chart. */
const hasLabel = (index: number, every: number, count: number) =>
  index % every === 0 && (index === 0 || index + every / 2 <= count);

/** One of so many labels fits into `room`, in sizes of text. */
export function labelStep(labels: readonly string[], room: number | undefined): number {
  const longest = Math.max(1, ...labels.map((label) => label.length));
  const fitting = room ? Math.max(1, Math.floor(room / (longest * LETTER + SPACE))) : 1;
  return Math.max(1, Math.ceil(labels.length / fitting));
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
