import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Cost } from "@/bindings/model";
import { CostTable } from "@/components/cost-table";
import { useCostText } from "@/components/cost-text";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";

/** A sum of at least one message. */
const ofMessages = (cost: Cost | null | undefined) =>
  cost && cost.priced + cost.free + cost.unknown > 0 ? cost : undefined;

/** What the check said that a batch costs, beside what its delivered messages do. Nothing without a rate card. */
export function BatchCost({ batch }: { batch: string }) {
  const { t } = useTranslation("costs");
  const costText = useCostText();
  const costs = useQuery(sendsQueries.batchCost(batch)).data;
  const planned = ofMessages(costs?.planned);
  const actual = ofMessages(costs?.actual);
  const sum = (cost: Cost) => costText({ ...cost, amount: cost.total });
  const shown = actual ?? planned;
  if (!shown) return null;
  return (
    <details className={classes.costs}>
      <summary>
        <strong>{t("title")}</strong>
        {planned && ` · ${t("planned")}: ${sum(planned)}`}
        {actual && ` · ${t("actual")}: ${sum(actual)} (${t("actualText", { count: actual.priced })})`}
      </summary>
      <CostTable cost={shown} label={t("parts")} />
    </details>
  );
}
