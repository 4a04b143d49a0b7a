import { useTranslation } from "react-i18next";
import type { BatchComparison, ComparedRate, Rate, RateInterval } from "@/bindings/app";
import classes from "./comparison.module.css";

/** Counts, percentages and intervals of two batches, and what their difference shows. */
export function ComparisonTable({ comparison: { first, second, rates } }: { comparison: BatchComparison }) {
  const { t } = useTranslation("batches");
  const number = useNumber();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
    <section className={classes.compared} aria-label={t("compare.table")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("compare.outcome")}</th>
            <th scope="col">
              {t("compare.first")}
              <span className={classes.quiet}>{first.batch.templateName}</span>
            </th>
            <th scope="col">
              {t("compare.second")}
              <span className={classes.quiet}>{second.batch.templateName}</span>
            </th>
            <th scope="col">{t("compare.difference")}</th>
            <th scope="col">{t("compare.verdict")}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t("compare.sent")}</th>
            <td>{number(first.sent)}</td>
            <td>{number(second.sent)}</td>
            <td />
            <td />
          </tr>
          {rates.map((rate) => (
            <tr key={rate.outcome}>
              <th scope="row">{t(`compare.${rate.outcome}`)}</th>
              <RateCell rate={rate.first} />
              <RateCell rate={rate.second} />
              <DifferenceCell difference={rate.difference} />
              <Verdict rate={rate} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RateCell({ rate }: { rate: Rate | null | undefined }) {
  const { t } = useTranslation("batches");
  const number = useNumber();
  const percent = usePercent();
  // Nothing is known, which is not 0.
  if (rate == null) return <td className={classes.quiet}>{t("compare.unknownRate")}</td>;
  const { value, low, high } = rate.share;
  return (
    <td>
      {number(rate.count)} · <strong>{percent(value)}</strong>
      <span className={classes.quiet}>{t("compare.interval", { low: percent(low), high: percent(high) })}</span>
    </td>
  );
}

function DifferenceCell({ difference }: { difference: RateInterval | null | undefined }) {
  const { t } = useTranslation("batches");
  const points = usePoints();
  if (difference == null) return <td />;
  const { value, low, high } = difference;
  return (
    <td>
      {t("compare.points", { value: points(value) })}
      <span className={classes.quiet}>{t("compare.intervalPoints", { low: points(low), high: points(high) })}</span>
    </td>
  );
}

function Verdict({ rate: { verdict, more } }: { rate: ComparedRate }) {
  const { t } = useTranslation("batches");
  return (
    <td data-verdict={verdict}>
      {verdict === "tooFew" ? t("compare.kind.tooFew", { count: more ?? 1 }) : t(`compare.kind.${verdict}`)}
    </td>
  );
}

function useNumber(): (value: number) => string {
  const { i18n } = useTranslation();
  return (value) => new Intl.NumberFormat(i18n.language).format(value);
}

/** A share, given in hundredths of a percent. */
function usePercent(): (share: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  return (share) => format.format(share / 10_000);
}

/** Percentage points with their sign, given in hundredths. */
function usePoints(): (difference: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  return (difference) => format.format(difference / 100);
}
