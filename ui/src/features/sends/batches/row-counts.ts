import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { isUnderWay } from "@/lib/run-state";
import { finishedRows, ROW_STATES } from "./counts";

/** How far a batch is while it is sent, and the rows by status after it has ended: `2 sent · 1 rejected`. */
export function useRowCounts(): (batch: Batch) => string {
  const { t } = useTranslation("batches");
  return (batch) => {
    if (isUnderWay(batch)) return t("progress.done", { count: batch.total, done: finishedRows(batch) });
    return ROW_STATES.filter((state) => batch.counts[state] > 0)
      .map((state) => t(`rowCount.${state}`, { count: batch.counts[state] }))
      .join(" · ");
  };
}
