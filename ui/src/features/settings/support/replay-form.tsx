import { Button, Radio, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReplayReport } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";
import { isReversed, type Range, ScopeFields } from "./scope-fields";
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

/** Reads one delivery again and says what came of it. */
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

/** The last place there can be: more than an inbox holds, and a number that is still exact. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Reads stored deliveries again: some of them, or all. */
export function ReplayForm() {
  const { t } = useTranslation("support");
  const [all, setAll] = useState(false);
  const [range, setRange] = useState<Range>({ from: undefined, to: undefined });
  const replay = useCommand("replay_events");
  const rebuild = useCommand("rebuild_projection");
  const text = useReplayText();
  const error = all ? rebuild.error : replay.error;
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (all) rebuild.mutate({});
    else if (!isReversed(range)) {
      replay.mutate({ scope: { kind: "range", from: range.from ?? 1, to: range.to ?? LAST } });
    }
  };
  return (
    <form onSubmit={run} className={classes.form}>
      <p className={classes.text}>{t("replay.text")}</p>
      <Radio.Group
        aria-label={t("replay.which")}
        value={all ? "all" : "range"}
        onChange={(value) => setAll(value === "all")}
      >
        <Stack gap="xs">
          <Radio value="range" label={t("replay.range")} description={t("replay.rangeText")} />
          <Radio value="all" label={t("replay.all")} description={t("replay.allText")} />
        </Stack>
      </Radio.Group>
      {!all && <ScopeFields range={range} onChange={setRange} />}
      {error && <ErrorNotice error={error} />}
      {!all && replay.data && (
        <p className={classes.result} role="status">
          {text(replay.data)}
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
