import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import {
  IconCopy,
  IconFileExport,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconScale,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import { useCommand } from "@/lib/ipc/mutations";
import { useNumberName } from "@/lib/number-names";
import { isUnderWay } from "@/lib/run-state";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";
import { askAboutRest } from "./cancel-question";
import { refusedAlone, remaining } from "./counts";
import { RowsCostLine } from "./rows-cost";
import { useBeginLike } from "./use-begin-like";

/** What can be done with a batch: stop it, go on with it, write its outcomes into a file, begin another one like it. */
export function BatchActions({ batch, restriction }: { batch: Batch; restriction: SendProblem | null }) {
  const { t } = useTranslation("batches");
  const cancel = useCommand("cancel_batch");
  const resume = useCommand("resume_batch");
  const end = useCommand("end_batch");
  const write = useCommand("export_batch");
  const beginLike = useBeginLike();
  const { id, state, counts } = batch;
  const left = remaining(batch);
  const refused = refusedAlone(batch);
  // The host would refuse to send from it.
  const isNumberGone = restriction?.code === "number.unknown";
  const hasRest = (state === "interrupted" || state === "cancelled") && left > 0;
  const common = { cancel: t("cancel.back"), confirm: "" };

  // What has not left stops before the question.
  const askCancel = () => cancel.mutate({ batch: id }, { onSuccess: () => askAboutRest(id), onError: showFailure });
  const askResume = () =>
    modals.openConfirmModal({
      title: refused > 0 ? t("retry.title", { count: refused }) : t("resume.title", { count: left }),
      children: (
        <div className={classes.start}>
          <p>{t(refused > 0 ? "retry.text" : "resume.text")}</p>
          <FromNumber number={batch.number} />
          <RowsCostLine batch={id} states={refused > 0 ? ["refused"] : ["planned", "cancelled"]} />
          {counts.unknown > 0 && <p>{t("resume.unknown", { count: counts.unknown })}</p>}
        </div>
      ),
      labels: { ...common, confirm: refused > 0 ? t("retry.confirm") : t("resume.confirm", { count: left }) },
      onConfirm: () => resume.mutate({ batch: id, resendUnknown: false }, { onError: showFailure }),
    });
  const askEnd = () =>
    modals.openConfirmModal({
      title: t("end.title"),
      children: (
        <div className={classes.start}>
          <p>{t("end.text", { count: left })}</p>
          <p>{t("end.sent")}</p>
        </div>
      ),
      labels: { ...common, confirm: t("end.confirm") },
      confirmProps: { color: "red" },
      onConfirm: () => end.mutate({ batch: id }, { onError: showFailure }),
    });
  const exportRows = () =>
    write.mutate(
      { batch: id },
      {
        // Nothing comes back where the dialog was closed without a choice.
        onSuccess: (file) => file && showSavedFile(t("export.done"), file.path),
        onError: showFailure,
      },
    );

  return (
    <>
      {(state !== "planned" || batch.isHalf) && <CompareButton batch={batch} />}
      <Button
        variant="default"
        leftSection={<IconFileExport size={15} aria-hidden />}
        loading={write.isPending}
        onClick={exportRows}
      >
        {t("export.run")}
      </Button>
      <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void beginLike(batch)}>
        {t("like.run")}
      </Button>
      {state === "running" && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconPlayerPause size={15} aria-hidden />}
          loading={cancel.isPending}
          onClick={askCancel}
        >
          {t("cancel.run")}
        </Button>
      )}
      {hasRest && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconPlayerStop size={15} aria-hidden />}
          loading={end.isPending}
          onClick={askEnd}
        >
          {t("end.run")}
        </Button>
      )}
      {!isNumberGone && (hasRest || refused > 0) && (
        <Button
          // Nothing would leave, though the person may know that the restriction has ended; or the person cancelled the rest.
          variant={restriction || state === "cancelled" ? "default" : "filled"}
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={resume.isPending}
          onClick={askResume}
        >
          {refused > 0 ? t("retry.run", { count: refused }) : t("resume.run", { count: left })}
        </Button>
      )}
    </>
  );
}

/** Sends messages with an unknown outcome again, after a confirmation. */
export function ResendUnknown({ batch }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const resume = useCommand("resume_batch");
  if (isUnderWay(batch)) return null;
  const { unknown } = batch.counts;
  const left = remaining(batch);
  const ask = () =>
    modals.openConfirmModal({
      title: left > 0 ? t("resend.titleAll", { count: unknown + left }) : t("resend.title", { count: unknown }),
      children: (
        <div className={classes.start}>
          {left > 0 && (
            <p>
              {t("resend.unknown", { count: unknown })} {t("resend.rest", { count: left })}
            </p>
          )}
          <p>{t("resend.text")}</p>
          <FromNumber number={batch.number} />
          <RowsCostLine batch={batch.id} states={["unknown", "planned", "cancelled"]} />
        </div>
      ),
      labels: {
        cancel: t("cancel.back"),
        confirm: left > 0 ? t("resend.confirmAll", { count: unknown + left }) : t("resend.confirm", { count: unknown }),
      },
      confirmProps: { color: "red" },
      onConfirm: () => resume.mutate({ batch: batch.id, resendUnknown: true }, { onError: showFailure }),
    });
  return (
    <Button size="compact-sm" variant="default" loading={resume.isPending} onClick={ask}>
      {t("resend.run")}
    </Button>
  );
}

/** The number that the messages leave from, as people call it. */
function FromNumber({ number }: { number: string }) {
  const { t } = useTranslation("batches");
  const name = useNumberName()(number) ?? number;
  return <p>{t("resume.from", { number: name, nest: false })}</p>;
}

/** Leads to the comparison with the other half of a divided list, which sends the halves, or with a batch to be chosen. */
function CompareButton({ batch: { id, state } }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const pair = useQuery(sendsQueries.comparisonPair(id)).data;
  const isPair = pair?.first != null && pair.second != null;
  const search = isPair ? { first: pair.first, second: pair.second } : { first: id };
  const isUnsent = state === "planned";
  return (
    <Button
      variant={isUnsent ? "filled" : "default"}
      leftSection={<IconScale size={15} aria-hidden />}
      renderRoot={(props) => <Link to="/sends/batches/compare" search={search} {...props} />}
    >
      {t(isUnsent ? "divide.open" : isPair ? "compare.pair" : "compare.action")}
    </Button>
  );
}
