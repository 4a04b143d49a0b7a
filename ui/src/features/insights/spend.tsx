import { useTranslation } from "react-i18next";
import type { PricingQuery, Spend as SpendFigures, SpendRow } from "@/bindings/app";
import { CostTable } from "@/components/cost-table";
import { useCostText } from "@/components/cost-text";
import { utcDate } from "@/lib/days";
import { ExportButton } from "./export-button";
import classes from "./insights.module.css";
import { Card, useNumber } from "./parts";

/** What the delivered messages cost by the rate card of the workspace. */
export function Spend({ spend, query }: { spend: SpendFigures; query: PricingQuery }) {
  const { cost, days, templates } = spend;
  const { t, i18n } = useTranslation("costs");
  const costText = useCostText();
  return (
    <Card wide title={t("spend")} aside={<strong>{costText({ ...cost, amount: cost.total })}</strong>}>
      <CostTable cost={cost} label={t("parts")} />
      <Rows
        title={t("byTemplate")}
        column={t("by.template", { ns: "insights" })}
        rows={templates}
        currency={cost.currency}
        nameOf={(name) => (name === "" ? t("freeText") : name)}
      />
      <Rows
        title={t("byDay")}
        column={t("by.day", { ns: "insights" })}
        rows={days}
        currency={cost.currency}
        nameOf={(day) => utcDate(day, i18n.language)}
      />
      <div>
        <ExportButton request={{ what: "spend", pricing: query }} label={t("export")} />
      </div>
    </Card>
  );
}

interface RowsProps {
  title: string;
  column: string;
  rows: SpendRow[];
  currency: string;
  nameOf: (key: string) => string;
}

function Rows({ title, column, rows, currency, nameOf }: RowsProps) {
  const { t } = useTranslation("costs");
  const costText = useCostText();
  const number = useNumber();
  if (rows.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls, and must do so by keyboard */}
      <section className={classes.scroll} aria-label={title} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              <th scope="col">{t("column.messages")}</th>
              <th scope="col">{t("column.amount")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, messages, amount, unknown }) => (
              <tr key={key}>
                <th scope="row">{nameOf(key)}</th>
                <td>{number(messages)}</td>
                <td>{costText({ amount, currency, unknown })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
