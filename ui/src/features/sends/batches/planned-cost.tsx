import { useTranslation } from "react-i18next";
import type { BatchPlan } from "@/bindings/app";
import { CostTable } from "@/components/cost-table";
import { useCostText } from "@/components/cost-text";
import { RateCardHint } from "@/components/rate-card-hint";
import classes from "./batches.module.css";

/** What the rows that can be sent will cost, or how one gets to know it. */
export function PlannedCost({ plan: { cost, good } }: { plan: BatchPlan }) {
  const { t } = useTranslation("costs");
  const costText = useCostText();
  if (good === 0) return null;
  if (!cost) {
    return (
      <div className={classes.rateCard}>
        <RateCardHint />
      </div>
    );
  }
  return (
    <section className={classes.cost} aria-labelledby="batch-cost">
      <h3 id="batch-cost" className={classes.subheading}>
        {t("title")}
      </h3>
      <p>
        <strong>{costText({ ...cost, amount: cost.total }, "estimate")}</strong>
        {cost.unknown < good && ` ${t("estimate", { count: good })}`}
      </p>
      <CostTable cost={cost} label={t("parts")} />
    </section>
  );
}
