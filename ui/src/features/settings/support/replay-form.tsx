import { Button, Radio, Stack } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ReplayReport } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { keys } from "@/lib/ipc/keys";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useForm } from "@/lib/use-form";
import { isInvalid, type Range, ScopeFields } from "./scope-fields";
import classes from "./support.module.css";

function useReplayText(): (report: ReplayReport) => string {
  const { t } = useTranslation("support");
  return ({ deliveries, items, changed }) =>
    [
      t("replay.doneDeliveries", { count: deliveries }),
      t("replay.doneItems", { count: items }),
      changed === 0 ? t("replay.doneSame") : t("replay.doneChanged", { count: changed }),
    ].join(" ");
}

/** Reprocesses one delivery and shows the result. */
export function useReplayOne() {
  const { mutate, isPending } = useCommand("replay_events");
  const text = useReplayText();
  const run = (seq: number) =>
    mutate(
      { scope: { kind: "one", seq } },
      { onSuccess: (report) => notifications.show({ message: text(report) }), onError: showFailure },
    );
  return { run, isPending };
}

/** The largest sequence number: more than an inbox holds, and an exact integer. */
const LAST = Number.MAX_SAFE_INTEGER;

interface ReplayValues extends Range {
  all: boolean;
}

/** Reprocesses stored deliveries: a range of them, or all. */
export function ReplayForm() {
  const { t } = useTranslation("support");
  const replay = useCommand("replay_events");
  const rebuild = useCommand("rebuild_projection");
  const client = useQueryClient();
  const projection = useQuery(queries.projection()).data;
  const form = useForm<ReplayValues>({
    initial: { from: undefined, to: undefined, all: false },
    // A result or an error is about the values it was asked for.
    onChange: () => {
      replay.reset();
      rebuild.reset();
    },
  });
  const { all, ...range } = form.values;
  const text = useReplayText();
  const error = all ? rebuild.error : replay.error;
  const askRebuild = () =>
    modals.openConfirmModal({
      title: t("replay.askAll"),
      children: <p>{t("replay.allText")}</p>,
      labels: { cancel: t("cancel", { ns: "common" }), confirm: t("replay.runAll") },
      confirmProps: { color: "red" },
      onConfirm: () =>
        // What was known before says that nothing is being rebuilt.
        rebuild.mutate({}, { onSuccess: (started) => client.setQueryData(keys.projection(), started) }),
    });
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (all) askRebuild();
    else if (!isInvalid(range)) {
      replay.mutate({ scope: { kind: "range", from: range.from ?? 1, to: range.to ?? LAST } });
    }
  };
  return (
    <form onSubmit={run} className={classes.form}>
      <p className={styles.muted}>{t("replay.text")}</p>
      <Radio.Group
        aria-label={t("replay.which")}
        value={all ? "all" : "range"}
        onChange={(value) => form.change({ all: value === "all" })}
      >
        <Stack gap="xs">
          <Radio value="range" label={t("replay.range")} description={t("replay.rangeText")} />
          <Radio value="all" label={t("replay.all")} description={t("replay.allText")} />
        </Stack>
      </Radio.Group>
      {!all && <ScopeFields range={range} onChange={form.change} />}
      {error && <ErrorNotice error={error} />}
      {!all && replay.data && (
        <p className={classes.result} role="status">
          {text(replay.data)}
        </p>
      )}
      {all && rebuild.data && projection && (
        <p className={classes.result} role="status">
          {projection.rebuilding ? t("replay.startedAll") : t("replay.doneAll")}
        </p>
      )}
      <div className={classes.formActions}>
        <Button type="submit" loading={replay.isPending || rebuild.isPending}>
          {t(all ? "replay.runAll" : "replay.run")}
        </Button>
      </div>
    </form>
  );
}
