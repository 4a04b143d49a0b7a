import { Button, Progress } from "@mantine/core";
import { IconArrowRight, IconRefresh } from "@tabler/icons-react";
import { useMutationState, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeskError, ImportOutcome, ImportReport, RunImport } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { StatusBadge } from "@/components/status-badge";
import { useDeskEvent } from "@/lib/ipc/events";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./import.module.css";

const KEY = ["run_import"];

interface Run {
  request: RunImport;
  report?: ImportReport | undefined;
  error?: DeskError | undefined;
}

/** The last push and what came of it, also when the screen was left meanwhile; and a way to put it away. */
export function useLastRun(): { run: Run | undefined; forget: () => void } {
  const client = useQueryClient();
  const runs = useMutationState({
    filters: { mutationKey: KEY },
    select: ({ state }): Run => ({
      request: state.variables as RunImport,
      report: state.data as ImportReport | undefined,
      error: (state.error as { error: DeskError } | null)?.error,
    }),
  });
  const forget = () => {
    const cache = client.getMutationCache();
    for (const mutation of cache.findAll({ mutationKey: KEY })) cache.remove(mutation);
  };
  return { run: runs.at(-1), forget };
}

interface RunViewProps {
  run: Run;
  /** Looks at the files again. */
  onAgain: () => void;
}

/** A push while it runs, and what came of it. */
export function RunView({ run, onAgain }: RunViewProps) {
  const { t } = useTranslation("import");
  if (run.error) {
    return (
      <div className={classes.plan}>
        <ErrorNotice error={run.error} onRetry={onAgain} retryLabel={t("readAgain")} />
      </div>
    );
  }
  return run.report ? <Outcomes report={run.report} onAgain={onAgain} /> : <Running request={run.request} />;
}

function Running({ request: { id, files } }: { request: RunImport }) {
  const { t } = useTranslation("import");
  const cancel = useCommand("cancel_import");
  const [progress, setProgress] = useState({ done: 0, total: files.length, file: "" });
  useDeskEvent((event) => {
    if (event.type === "importProgress" && event.id === id) setProgress(event);
  });
  const { done, total, file } = progress;
  return (
    <section className={classes.running} aria-label={t("progress")}>
      <p role="status">{t("pushing", { done, total })}</p>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={t("progress")} />
      <p className={classes.quiet}>{file}</p>
      <p className={classes.quiet}>{t("cancelHint")}</p>
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
        {t(cancel.isSuccess ? "cancelling" : "cancel")}
      </Button>
    </section>
  );
}

/** What is said first is what somebody has to look at. */
const STATES: readonly ImportOutcome["state"][] = ["unknown", "failed", "cancelled", "done", "skipped"];

function Outcomes({ report: { outcomes }, onAgain }: { report: ImportReport; onAgain: () => void }) {
  const { t } = useTranslation("import");
  const count = (state: ImportOutcome["state"]) => outcomes.filter((outcome) => outcome.state === state).length;
  const done = (action: string) =>
    outcomes.filter((outcome) => outcome.state === "done" && outcome.action === action).length;
  const counts = [
    t("created", { count: done("create") }),
    t("changed", { count: done("edit") }),
    ...(["failed", "unknown", "cancelled", "skipped"] as const).flatMap((state) =>
      count(state) > 0 ? [t(`outcome.${state}`, { count: count(state) })] : [],
    ),
  ];
  return (
    <div className={classes.plan}>
      <section className={classes.report} aria-label={t("report")}>
        <h2>{t("report")}</h2>
        <p role="status" className={classes.counts}>
          {counts.map((text) => (
            <span key={text}>{text}</span>
          ))}
        </p>
        {count("unknown") > 0 && <p>{t("unknownText")}</p>}
        {count("failed") > 0 && <p>{t("failedText")}</p>}
        <div className={classes.actions}>
          <Button variant="default" leftSection={<IconRefresh size={15} aria-hidden />} onClick={onAgain}>
            {t("readAgain")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconArrowRight size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/templates" {...props} />}
          >
            {t("toTemplates")}
          </Button>
        </div>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many outcomes scroll, and must do so by keyboard */}
      <ol className={classes.outcomes} tabIndex={0} aria-label={t("outcomes")}>
        {STATES.flatMap((state) => outcomes.filter((outcome) => outcome.state === state)).map((outcome) => (
          <li key={outcome.file}>
            <Outcome outcome={outcome} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Outcome({ outcome: { file, name, language, action, state, error, references } }: { outcome: ImportOutcome }) {
  const { t } = useTranslation("import");
  const [reference] = references;
  const title = name === "" ? file : name;
  return (
    <>
      <p className={classes.outcome}>
        {reference === undefined ? (
          <strong>{title}</strong>
        ) : (
          <Link to="/templates/$reference" params={{ reference }}>
            {title}
          </Link>
        )}
        <span className={classes.quiet}>{language}</span>
        <span className={classes.quiet}>
          {action === "create" || action === "edit" ? t(`action.${action}`) : action}
        </span>
        <StatusBadge status={state} />
      </p>
      {state === "unknown" && <p className={classes.quiet}>{t("unknownOne")}</p>}
      {error && <ErrorNotice error={error} />}
    </>
  );
}
