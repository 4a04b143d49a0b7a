import { Button, Group } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnderWay } from "@/lib/run-state";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";
import { remaining } from "./counts";

/**
 * Asks what becomes of the rest of a batch that was just stopped: while it went on, the number asked about would be
 * another one than the number cancelled.
 */
export function CancelQuestion({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("batches");
  const batch = useQuery(sendsQueries.batch(id)).data?.batch;
  const resume = useCommand("resume_batch");
  const isStopping = batch === undefined || isUnderWay(batch);
  const left = batch === undefined ? 0 : remaining(batch);
  return (
    <div className={classes.start}>
      <p role="status">
        {isStopping ? t("cancel.stopping") : left > 0 ? t("cancel.rest", { count: left }) : t("cancel.nothingLeft")}
      </p>
      <p>{t("cancel.inFlight")}</p>
      {resume.error && <ErrorNotice error={resume.error} />}
      <Group justify="flex-end" gap="sm">
        {(isStopping || left > 0) && (
          <Button
            variant="default"
            disabled={isStopping}
            loading={resume.isPending}
            onClick={() => resume.mutate({ batch: id, resendUnknown: false }, { onSuccess: onClose })}
          >
            {t("cancel.goOn")}
          </Button>
        )}
        <Button data-autofocus onClick={onClose}>
          {isStopping || left > 0 ? t("cancel.confirm") : t("close", { ns: "common" })}
        </Button>
      </Group>
    </div>
  );
}

/** Whether the batch is paused by now. */
function CancelTitle({ id }: { id: string }) {
  const { t } = useTranslation("batches");
  const batch = useQuery(sendsQueries.batch(id)).data?.batch;
  if (batch === undefined || isUnderWay(batch)) return t("cancel.pausingTitle");
  return t(remaining(batch) > 0 ? "cancel.pausedTitle" : "cancel.doneTitle");
}

/** Shows the question as a dialog. */
export function askAboutRest(id: string): void {
  const modalId = `cancel ${id}`;
  modals.open({
    modalId,
    title: <CancelTitle id={id} />,
    children: <CancelQuestion id={id} onClose={() => modals.close(modalId)} />,
  });
}
