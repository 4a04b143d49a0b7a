import { Button, Checkbox, Group, Progress } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BulkAction, ItemState } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { WaitingNotice } from "@/components/waiting-notice";
import { countOf } from "@/lib/bulk-actions";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnderWay, shownRunState } from "@/lib/run-state";
import { watchBulkAction } from "@/lib/watched-bulk-actions";
import { BulkActionItems } from "./bulk-action-items";
import classes from "./bulk-actions.module.css";
import { useOpenBulkAction } from "./use-bulk-actions";

/** States of the templates of a bulk action in the order of the summary, with their colors. */
const STATES = [
  ["done", "teal"],
  ["failed", "red"],
  ["unknown", "orange"],
  ["leaving", "yellow"],
  ["planned", "transparent"],
  ["cancelled", "gray.5"],
  ["skipped", "gray.5"],
] as const;

/** How far a bulk action is, what failed, and what can be done about it. */
export function BulkActionProgress({ bulkAction, onClose }: { bulkAction: BulkAction; onClose: () => void }) {
  const { t } = useTranslation("bulkActions");
  const open = useOpenBulkAction();
  const cancel = useCommand("cancel_bulk_action");
  const retry = useCommand("retry_bulk_action");
  const undo = useCommand("undo_bulk_action");
  const [retryUnknown, setRetryUnknown] = useState(false);
  const { workspace, id, total } = bulkAction;
  const count = (state: ItemState) => countOf(bulkAction, state);
  const underWay = isUnderWay(bulkAction);
  const [planned, failed, unknown, cancelled] = (["planned", "failed", "unknown", "cancelled"] as const).map(count) as [
    number,
    number,
    number,
    number,
  ];
  const canContinue = !underWay && cancelled > 0;
  const canRetry = !underWay && (retryUnknown || (canContinue ? failed > 0 : bulkAction.retryable > 0));
  const send = (retryCancelled: boolean) =>
    retry.mutate({ workspace, id, retryUnknown, retryCancelled }, { onSuccess: () => watchBulkAction(id) });
  const finished = total - count("planned") - count("leaving");
  const failure = cancel.error ?? retry.error ?? undo.error;

  return (
    <section className={classes.bulkAction} aria-label={t("progress.title")}>
      <div className={classes.state}>
        <StatusBadge status={shownRunState(bulkAction.state, countOf(bulkAction, "unknown"))} />
        <span role="status">
          {STATES.filter(([state]) => count(state) > 0)
            .map(([state]) => t(`progress.${state}`, { count: count(state) }))
            .join(" · ")}
        </span>
        {bulkAction.endedAt != null && (
          <span className={styles.small}>
            <Instant at={bulkAction.endedAt} format="moment" />
          </span>
        )}
      </div>
      <Progress.Root
        size={10}
        role="progressbar"
        aria-label={t("progress.title")}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={finished}
        transitionDuration={200}
      >
        {STATES.map(([state, color]) => (
          <Progress.Section
            key={state}
            withAria={false}
            color={color}
            value={total === 0 ? 0 : (count(state) / total) * 100}
          />
        ))}
      </Progress.Root>
      {underWay && bulkAction.waitingUntil != null && (
        <WaitingNotice until={bulkAction.waitingUntil} reason={bulkAction.waitingReason} />
      )}
      {underWay && <p className={styles.small}>{t("progress.closing")}</p>}
      {bulkAction.error && <ErrorNotice error={bulkAction.error} />}
      {failed > 0 && (
        <details className={classes.details} open={failed <= 5}>
          <summary>{t("progress.failedList", { count: failed })}</summary>
          <BulkActionItems bulkAction={bulkAction} state="failed" label={t("progress.failedList", { count: failed })} />
        </details>
      )}
      {unknown > 0 && (
        <details className={classes.details}>
          <summary>{t("progress.unknownList", { count: unknown })}</summary>
          <p className={styles.small}>{t("unknown.text")}</p>
          <BulkActionItems
            bulkAction={bulkAction}
            state="unknown"
            label={t("progress.unknownList", { count: unknown })}
          />
        </details>
      )}
      {!underWay && unknown > 0 && (
        <Checkbox
          size="xs"
          label={t("retryUnknown")}
          checked={retryUnknown}
          onChange={(event) => setRetryUnknown(event.currentTarget.checked)}
        />
      )}
      {failure && <ErrorNotice error={failure} />}
      <Group justify="flex-end" gap="xs">
        {bulkAction.state === "running" && (
          <Button
            variant="light"
            color="red"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ workspace, id })}
          >
            {t("cancel", { ns: "common" })}
          </Button>
        )}
        {!underWay && bulkAction.undoable && (
          <Button
            variant="default"
            loading={undo.isPending}
            onClick={() =>
              undo.mutate(
                { workspace, id },
                {
                  onSuccess: (undoing) => {
                    watchBulkAction(undoing.id);
                    open(undoing.id);
                  },
                },
              )
            }
          >
            {t("undo", { ns: "common" })}
          </Button>
        )}
        {canContinue && (
          <Button variant={canRetry ? "default" : undefined} loading={retry.isPending} onClick={() => send(true)}>
            {t("goOn")}
          </Button>
        )}
        {canRetry && (
          <Button loading={retry.isPending} onClick={() => send(false)}>
            {/* Another try goes on with what never left, too. */}
            {planned > 0 && (failed > 0 || retryUnknown)
              ? t("goOnWithAll", { count: planned + failed + (retryUnknown ? unknown : 0), rest: planned })
              : t(failed > 0 || retryUnknown ? "retryFailed" : "goOn")}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t("close", { ns: "common" })}
        </Button>
      </Group>
    </section>
  );
}
