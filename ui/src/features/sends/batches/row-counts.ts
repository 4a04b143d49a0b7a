import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { useStatusText } from "@/components/status-badge";
import { isUnderWay } from "@/lib/run-state";
import { finishedRows, ROW_STATES } from "./counts";

/** How far a batch is while it is sent, and the rows by status after it has ended: `Sent 2 · Rejected 1`. */
export function useRowCounts(): (batch: Batch) => string {
  const { t, i18n } = useTranslation("batches");
  const status = useStatusText();
  const number = new Intl.NumberFormat(i18n.language);
  return (batch) => {
    if (isUnderWay(batch)) return t("progress.done", { count: batch.total, done: finishedRows(batch) });
    return ROW_STATES.filter((state) => batch.counts[state] > 0)
      .map((state) => `${state === "other" ? t("rows.other") : status(state)} ${number.format(batch.counts[state])}`)
      .join(" · ");
  };
}
