import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { shownBatchState } from "./shown-state";

const stateOf = (batch: Batch) => batch.ending ?? shownBatchState(batch);

/** The state of a batch in words, and how many rows were not sent if a person ended it. */
export function useBatchStateText(): (batch: Batch) => string {
  const { t } = useTranslation("batches");
  const status = useStatusText();
  return (batch) => (batch.ending === "ended" ? t("end.state", { count: batch.counts.ended }) : status(stateOf(batch)));
}

/** The state of a batch: of one that was done in another way than by sending, how it ended. */
export function BatchBadge({ batch }: { batch: Batch }) {
  const text = useBatchStateText();
  return <StatusBadge status={stateOf(batch)} {...(batch.ending && { text: text(batch) })} />;
}
