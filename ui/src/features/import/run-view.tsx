import { Button, Group, Progress } from "@mantine/core";
import { IconArrowRight, IconRefresh, IconTrash, IconUpload } from "@tabler/icons-react";
import { useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeskError, Import, ImportOutcome } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { StatusBadge } from "@/components/status-badge";
import { WaitingNotice } from "@/components/waiting-notice";
import { useDeskEvent } from "@/lib/ipc/events";
import { keys } from "@/lib/ipc/keys";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnderWay } from "@/lib/run-state";
import { useWabaText } from "@/lib/waba-names";
import classes from "./import.module.css";
import { importQueries } from "./queries";

const KEYS = [["run_import"], ["resume_import"]];

interface Runs {
  workspace: string;
  /** The newest import: of this session, or one that was interrupted or left something open before. */
  last: Import | undefined;
  isRunning: boolean;
  error: DeskError | undefined;
  /** Puts errors of this session away. */
  clear: () => void;
  /** Deletes the newest import, and puts it away. */
  forget: () => void;
}

/** The newest import of a workspace, also when the screen was left or the app was closed meanwhile. */
export function useRuns(workspace: string): Runs {
  const client = useQueryClient();
  const recorded = useQuery(importQueries.lastImport(workspace)).data ?? undefined;
  const forgetting = useCommand("forget_import");
  const runs = useMutationState({
    filters: { predicate: ({ options }) => KEYS.some(([name]) => options.mutationKey?.[0] === name) },
    select: ({ state }) => ({
      status: state.status,
      at: state.submittedAt,
      import: state.data as Import | undefined,
      error: (state.error as { error: DeskError } | null)?.error,
    }),
  });
  const newest = runs.toSorted((one, other) => one.at - other.at).at(-1);
  const isRunning = newest?.status === "pending" || (recorded !== undefined && isUnderWay(recorded));
  const last =
    newest?.import ?? (recorded && (isUnderWay(recorded) || needsAttention(recorded)) ? recorded : undefined);
  const clear = () => {
    const cache = client.getMutationCache();
    for (const mutationKey of KEYS) {
      for (const mutation of cache.findAll({ mutationKey })) cache.remove(mutation);
    }
  };
  return {
    workspace,
    last: isRunning && recorded && isUnderWay(recorded) ? recorded : last,
    isRunning,
    error: newest?.error,
    clear,
    forget: () => {
      clear();
      const id = newest?.import?.id ?? recorded?.id;
      client.setQueryData(keys.lastImport(workspace), null);
      if (id !== undefined) forgetting.mutate({ id });
    },
  };
}

const needsAttention = ({ state, outcomes }: Import) =>
  state !== "done" || outcomes.some((outcome) => outcome.state === "failed" || outcome.state === "unknown");

interface RunViewProps {
  runs: Runs;
  /** Why the files could not be looked at again, or the import could not be started or resumed. */
  error: unknown;
  isChecking: boolean;
  /** Looks at the files again; absent if they are not those of this screen. */
  onAgain: (() => void) | undefined;
}

/** An import while it runs, and what came of it. */
export function RunView({ runs, error, isChecking, onAgain }: RunViewProps) {
  const { t } = useTranslation("import");
  const { workspace, last, isRunning } = runs;
  if (isRunning) return <Running workspace={workspace} last={last} />;
  if (last) {
    return <Outcomes run={last} error={error} isChecking={isChecking} onAgain={onAgain} onDiscard={runs.forget} />;
  }
  return (
    <div className={classes.plan}>
      <ErrorNotice error={error} onRetry={onAgain} retryLabel={t("readAgain")} />
    </div>
  );
}

function Running({ workspace, last }: { workspace: string; last: Import | undefined }) {
  const { t } = useTranslation("import");
  const cancel = useCommand("cancel_import");
  const [progress, setProgress] = useState<{ id: string; done: number; total: number; file: string }>();
  const [waiting, setWaiting] = useState<Pick<Import, "waitingUntil" | "waitingReason"> | undefined>(last);
  useDeskEvent((event) => {
    if (event.type !== "importProgress" || event.workspace !== workspace) return;
    setProgress(event);
    setWaiting(event);
  });
  const { id, done, total, file } = progress ?? { file: "", ...(last ?? { id: undefined, done: 0, total: 0 }) };
  return (
    <section className={classes.running} aria-label={t("progress")}>
      <p role="status">{t("pushing", { done, total })}</p>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={t("progress")} />
      <p className={classes.quiet}>{file}</p>
      {waiting?.waitingUntil != null && <WaitingNotice until={waiting.waitingUntil} reason={waiting.waitingReason} />}
      <p className={classes.quiet}>{t("cancelHint")}</p>
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <Button
        variant="default"
        loading={cancel.isPending}
        disabled={id === undefined}
        onClick={() => id !== undefined && cancel.mutate({ id })}
      >
        {t(cancel.isSuccess ? "cancelling" : "cancel")}
      </Button>
    </section>
  );
}

/** States in the order in which they are shown: those that need attention first. */
const STATES: readonly ImportOutcome["state"][] = ["unknown", "failed", "notSent", "cancelled", "done", "skipped"];

interface OutcomesProps extends Omit<RunViewProps, "runs"> {
  run: Import;
  onDiscard: () => void;
}

function Outcomes({ run, error: failure, isChecking, onAgain, onDiscard }: OutcomesProps) {
  const { t } = useTranslation("import");
  const resume = useCommand("resume_import");
  const wabaText = useWabaText(run.workspace);
  const { id, state: ended, error, outcomes, resumable } = run;
  const isOpen = (ended === "interrupted" || ended === "cancelled") && resumable > 0;
  const count = (state: ImportOutcome["state"]) =>
    outcomes.filter((outcome) => outcome.state === state && !outcome.isPartial).length;
  const partial = outcomes.filter(({ isPartial }) => isPartial).length;
  const done = (action: string) =>
    outcomes.filter((outcome) => outcome.state === "done" && outcome.action === action).length;
  const counts = [
    t("created", { count: done("create") }),
    t("changed", { count: done("edit") }),
    ...(partial > 0 ? [t("outcome.partial", { count: partial })] : []),
    ...(["failed", "unknown", "notSent", "cancelled", "skipped"] as const).flatMap((state) =>
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
        {ended === "interrupted" && <p>{t(error ? "stoppedText" : "interruptedText")}</p>}
        {error && <ErrorNotice error={error} />}
        {count("unknown") > 0 && <p>{t("unknownText")}</p>}
        {partial > 0 && <p>{t("partialText")}</p>}
        {count("failed") > 0 && <p>{t("failedText")}</p>}
        {!onAgain && <p>{t("discardText")}</p>}
        {failure != null && <ErrorNotice error={failure} />}
        <Group gap="0.5rem">
          {isOpen && (
            <Button leftSection={<IconUpload size={15} aria-hidden />} onClick={() => resume.mutate({ id })}>
              {t("resume", { count: resumable })}
            </Button>
          )}
          {onAgain ? (
            <Button
              variant="default"
              leftSection={<IconRefresh size={15} aria-hidden />}
              loading={isChecking}
              onClick={onAgain}
            >
              {t("readAgain")}
            </Button>
          ) : (
            <Button variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={onDiscard}>
              {t("discard")}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconArrowRight size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/templates" {...props} />}
          >
            {t("toTemplates")}
          </Button>
        </Group>
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many outcomes scroll, and must do so by keyboard */}
      <ol className={classes.outcomes} tabIndex={0} aria-label={t("outcomes")}>
        {STATES.flatMap((state) => outcomes.filter((outcome) => outcome.state === state)).map((outcome) => (
          <li key={outcome.file}>
            <Outcome outcome={outcome} wabaText={wabaText} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface OutcomeProps {
  outcome: ImportOutcome;
  wabaText: (waba: string) => string;
}

function Outcome({ outcome, wabaText }: OutcomeProps) {
  const { t } = useTranslation("import");
  const { file, name, language, action, state, error, references, isPartial, acceptedWabas, openWabas } = outcome;
  const wabas = { accepted: acceptedWabas.map(wabaText).join(", "), open: openWabas.map(wabaText).join(", ") };
  const part = action === "create" ? "createdPart" : "changedPart";
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
      {isPartial && <p>{t(wabas.accepted === "" || wabas.open === "" ? "somePart" : part, wabas)}</p>}
      {error && state !== "notSent" && <ErrorNotice error={error} />}
    </>
  );
}
