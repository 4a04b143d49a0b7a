import { useTranslation } from "react-i18next";
import type { Cost } from "@/bindings/model";
import { useCategoryText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { countryName } from "@/lib/country-name";
import { numberFormat } from "@/lib/formats";
import { decimalPlaces, useMoney } from "@/lib/money";
import classes from "./cost-table.module.css";

/** What is not in the sum, in sentences: what is free, and what is unknown. */
export function useCostNotes(): (cost: Cost) => string[] {
  const { t } = useTranslation("costs");
  return ({ free, unknown, isSample }) => [
    ...(isSample ? [t("sample")] : []),
    ...(free > 0 ? [t("free", { count: free })] : []),
    ...(unknown > 0 ? [t("unknown", { count: unknown })] : []),
  ];
}

/** The parts of a sum by market and category, with what is not in it. */
export function CostTable({ cost, label }: { cost: Cost; label: string }) {
  const { t, i18n } = useTranslation("costs");
  const money = useMoney();
  const notes = useCostNotes()(cost);
  const category = useCategoryText();
  const market = useMarketName();
  const places = decimalPlaces(cost.lines.map(({ price }) => price));
  const number = (value: number) => numberFormat(i18n.language, {}).format(value);
  return (
    <>
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {cost.lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
        <section className={classes.scroll} aria-label={label} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("column.market")}</th>
                <th scope="col">{t("column.category")}</th>
                <th scope="col">{t("column.messages")}</th>
                <th scope="col">{t("column.price")}</th>
                <th scope="col">{t("column.amount")}</th>
              </tr>
            </thead>
            <tbody>
              {cost.lines.map((line) => (
                <tr key={`${line.market} ${line.category} ${line.price}`}>
                  <th scope="row">{market(line.market)}</th>
                  <td>{line.category === "" ? t("unsaid") : category(line.category)}</td>
                  <td>{number(line.messages)}</td>
                  {line.price == null ? (
                    <td colSpan={2}>{t("unsaid")}</td>
                  ) : (
                    <>
                      <td>{money(line.price, cost.currency, "price", places)}</td>
                      <td>{line.amount == null ? t("unsaid") : money(line.amount, cost.currency)}</td>
                    </>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className={styles.small}>{t("basis")}</p>
    </>
  );
}

/** A market in the person's language: the name of a country or, of a region, that of the rate card. */
export function useMarketName(): (market: string) => string {
  const { t, i18n } = useTranslation("costs");
  return (market) => {
    if (market === "") return t("unsaid");
    if (market.length === 2) return countryName(market, i18n.language);
    return i18n.exists(`region.${market}`, { ns: "costs" }) ? t(`region.${market}` as "region.Other") : market;
  };
}
