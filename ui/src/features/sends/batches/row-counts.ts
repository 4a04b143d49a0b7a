import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { isUnderWay } from "@/lib/run-state";
import { finishedRows, ROW_STATES } from "./counts";
import { shownCounts } from "./shown-state";

/** How far a batch is while it is sent, and the rows by status after it has ended: `2 sent · 1 rejected`. */
export function useRowCounts(): (batch: Batch) => string {
  const { t } = useTranslation("batches");
  return (batch) => {
    if (isUnderWay(batch)) return t("progress.done", { count: batch.total, done: finishedRows(batch) });
    const counts = shownCounts(batch);
    return ([...ROW_STATES, "notSent"] as const)
      .map((state) => [state, counts[state] ?? 0] as const)
      .filter(([, count]) => count > 0)
      .map(([state, count]) => t(`rowCount.${state}`, { count }))
      .join(" · ");
  };
}
