import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CurrentPrice } from "@/bindings/model";
import { useMarketName } from "@/components/cost-table";
import classes from "@/components/cost-table.module.css";
import { SearchField } from "@/components/search-field";
import { useCategoryText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { utcDate } from "@/lib/days";
import { numberFormat } from "@/lib/formats";
import { decimalPlaces, useMoney } from "@/lib/money";
import { hasWords } from "@/lib/words";

/** The search finds the others. */
const MOST_ROWS = 100;

/** The prices of a rate card, to be looked up. */
export function PriceList({ prices, currency }: { prices: readonly CurrentPrice[]; currency: string }) {
  const { t, i18n } = useTranslation("costs");
  const money = useMoney();
  const market = useMarketName();
  const category = useCategoryText();
  const [search, setSearch] = useState("");
  const rows = prices
    .map((price) => ({ ...price, name: market(price.market), about: category(price.category) }))
    .sort((a, b) => a.name.localeCompare(b.name, i18n.language));
  const found = rows.filter(({ name, about, market }) => hasWords(`${name} ${market} ${about}`, search));
  const hasTiers = prices.some(({ tierFrom }) => tierFrom > 1);
  const places = decimalPlaces(prices.map(({ price }) => price));
  if (prices.length === 0) return null;
  return (
    <details className={styles.unfold}>
      <summary>{t("list.title")}</summary>
      <SearchField
        value={search}
        onChange={setSearch}
        label={t("list.search")}
        clearLabel={t("list.clear")}
        size="xs"
      />
      {found.length === 0 && <p className={styles.muted}>{t("list.none")}</p>}
      {found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
        <section className={classes.scroll} aria-label={t("list.title")} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("column.market")}</th>
                <th scope="col">{t("column.category")}</th>
                <th scope="col">{t("column.price")}</th>
                {hasTiers && <th scope="col">{t("list.tier")}</th>}
                <th scope="col">{t("card.validFrom")}</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, MOST_ROWS).map((row) => (
                <tr key={`${row.market} ${row.category} ${row.validFrom} ${row.tierFrom}`}>
                  <th scope="row">{row.name}</th>
                  <td>{row.about}</td>
                  <td>{money(row.price, currency, "price", places)}</td>
                  {hasTiers && <td>{numberFormat(i18n.language, {}).format(row.tierFrom)}</td>}
                  <td>
                    {utcDate(row.validFrom, i18n.language)} {row.isComing && t("list.coming")}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {found.length > MOST_ROWS && (
        <p className={styles.small}>{t("list.more", { count: found.length - MOST_ROWS })}</p>
      )}
    </details>
  );
}
