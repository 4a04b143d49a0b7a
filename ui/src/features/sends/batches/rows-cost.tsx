import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { RowState } from "@/bindings/app";
import { useCostText } from "@/components/cost-text";
import { sendsQueries } from "../queries";

/** What the rows of a batch in some states cost if they are sent now. */
export function RowsCost({ batch, states }: { batch: string; states: RowState[] }) {
  const { t } = useTranslation("costs");
  const costText = useCostText();
  const found = useQuery(sendsQueries.rowsEstimate(batch, states));
  if (found.isPending) return "…";
  const cost = found.data?.cost;
  if (cost) return costText({ ...cost, amount: cost.total }, "about");
  return t(found.error ? "unsaid" : "noPrices");
}

/** The same with its name. */
export function RowsCostLine(props: { batch: string; states: RowState[] }) {
  const { t } = useTranslation("costs");
  return (
    <p>
      <strong>{t("title")}</strong>: <RowsCost {...props} />
    </p>
  );
}
