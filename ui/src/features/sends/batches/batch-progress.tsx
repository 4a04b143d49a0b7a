import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Batch, BatchCounts } from "@/bindings/app";
import { finishedRows, ROW_STATES } from "./counts";

const COLORS: Record<keyof BatchCounts, string> = {
  read: "teal",
  delivered: "cyan",
  sent: "blue",
  accepted: "blue.3",
  other: "gray.6",
  sending: "yellow",
  failed: "red",
  refused: "red.8",
  unknown: "orange",
  skipped: "gray.5",
  // What was not sent leaves the bar empty.
  ended: "transparent",
  cancelled: "transparent",
  planned: "transparent",
};

/** How far a batch is, and what became of its rows so far. */
export function BatchProgress({ batch, size }: { batch: Batch; size: number }) {
  const { t } = useTranslation("batches");
  const { total, counts } = batch;
  const done = finishedRows(batch);
  return (
    <Progress.Root
      size={size}
      role="progressbar"
      aria-label={t("progress.label")}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={t("progress.done", { count: total, done })}
      transitionDuration={200}
    >
      {ROW_STATES.map((state) => (
        <Progress.Section
          key={state}
          withAria={false}
          color={COLORS[state]}
          value={total === 0 ? 0 : (counts[state] / total) * 100}
        />
      ))}
    </Progress.Root>
  );
}
