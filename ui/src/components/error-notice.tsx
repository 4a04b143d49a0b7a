import { Alert, Button, Group } from "@mantine/core";
import { IconAlertCircle, IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { DeskError } from "@/bindings/app";
import { toFailure } from "@/lib/ipc/errors";
import { durationText } from "./duration";
import classes from "./error-notice.module.css";
import { JsonView } from "./json-view";
import styles from "./styles.module.css";
import { useWordedError } from "./use-worded-error";

interface ErrorNoticeProps {
  /** A rejection of any kind, or an error that an answer carries. */
  error: unknown;
  onRetry?: (() => void) | undefined;
  retryLabel?: string;
  /** Other advice than the error's own. */
  advice?: "offline.todoAddress" | undefined;
  /** What it means and what to do is said beside it. */
  isExplained?: boolean;
  /** Whether Settings are offered where they help; not on their own screen. */
  offersSettings?: boolean;
  /** What the screen calls the field of an invalid value; the field's name in the request if absent. */
  fieldLabel?: string | undefined;
}

/** What happened, why, and what to do. The provider's own words are always shown, its whole answer on demand. */
export function ErrorNotice({
  error: reason,
  onRetry,
  retryLabel,
  advice,
  isExplained = false,
  offersSettings = true,
  fieldLabel,
}: ErrorNoticeProps) {
  const { t } = useTranslation("errors");
  const { error } = toFailure(reason);
  // What a problem of a send means and what to do is in its sentence.
  const isProblem = error.code === "invalidInput" && error.problem != null;
  const away = error.code === "offline" || error.code === "timedOut" || error.code === "rateLimited";
  const unknown = error.code === "outcomeUnknown";
  // Nothing that may have been done is offered to be tried again.
  const retries = onRetry && (!unknown || retryLabel !== undefined);
  const answer = unknown ? (error.cause ?? error) : error;
  const Icon = away ? IconPlugConnectedX : IconAlertCircle;
  const toSettings = offersSettings && SETTINGS.has(error.code);
  return (
    <Alert
      role="alert"
      color={away ? "yellow" : unknown ? "orange" : error.code === "cancelled" ? "gray" : "red"}
      variant="light"
      icon={<Icon size={20} stroke={1.7} />}
      title={t(isProblem ? "invalidInput.problemTitle" : `${error.code}.title`, { ...error })}
      classNames={{ root: classes.notice, title: classes.title }}
    >
      <Words error={error} fieldLabel={fieldLabel} />
      {!isExplained && !isProblem && !(error.code === "file" && error.problem) && (
        <p className={classes.todo}>{t(advice ?? todo(error), { ...error })}</p>
      )}
      {(retries || toSettings) && (
        <Group gap="xs" mt="xs">
          {retries && (
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              {retryLabel ?? t("retry", { ns: "common" })}
            </Button>
          )}
          {toSettings && <ToSettings />}
        </Group>
      )}
      {"body" in answer && answer.body !== "" && (
        <details className={styles.unfold}>
          <summary>{t("providerWords")}</summary>
          <JsonView text={answer.body} label={t("providerWords")} maxHeight="16rem" />
        </details>
      )}
    </Alert>
  );
}

const SETTINGS = new Set<DeskError["code"]>([
  "unauthorized",
  "missingCredentials",
  "credentialsForOtherAddress",
  "offline",
  "unreadable",
]);

function todo(error: DeskError) {
  if (error.code === "service" && error.status >= 500) return "service.todoServer";
  if (error.code === "rateLimited" && error.retryAfter) return "rateLimited.todoThen";
  return `${error.code}.todo` as const;
}

/** Why something failed and what to do, where its title is shown already. */
export function ErrorExplained({ error }: { error: DeskError }) {
  const { t } = useTranslation("errors");
  return (
    <>
      <Words error={error} />
      <p className={classes.todo}>{t(todo(error), { ...error })}</p>
      {SETTINGS.has(error.code) && <ToSettings />}
    </>
  );
}

function ToSettings() {
  const { t } = useTranslation("errors");
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(props) => <Link to="/settings" search={{ section: "workspace" }} {...props} />}
    >
      {t("toSettings")}
    </Button>
  );
}

/** What came instead of an answer that says whether something was done. */
export function AnswerLost({ cause }: { cause: DeskError | null | undefined }) {
  const { t } = useTranslation("errors");
  if (!cause) return <p className={classes.words}>{t("outcomeUnknown.ended")}</p>;
  return (
    <>
      <p className={classes.words}>{t(`${cause.code}.title`, { ...cause })}</p>
      <Words error={cause} />
    </>
  );
}

/** The reason as the provider or the system gave it. */
function Words({ error, fieldLabel }: { error: DeskError; fieldLabel?: string | undefined }) {
  const { t, i18n } = useTranslation("errors");
  const worded = useWordedError();
  switch (error.code) {
    case "service":
      return (
        <>
          <p className={classes.words}>{error.message}</p>
          {error.details && <p className={classes.words}>{error.details}</p>}
          {(error.errorCode || error.field) && (
            <dl className={classes.facts}>
              {error.errorCode && <Fact label={t("codeLabel")} value={error.errorCode} />}
              {error.field && <Fact label={t("fieldLabel")} value={error.field} />}
            </dl>
          )}
        </>
      );
    case "unauthorized":
      return (
        <>
          <p className={classes.words}>{error.message}</p>
          {error.details !== "" && <p className={classes.words}>{error.details}</p>}
        </>
      );
    case "unreadable":
      return <p className={classes.words}>{t("unreadable.what", { ...error })}</p>;
    case "file":
      return error.problem ? (
        <>
          <p className={classes.words}>
            {error.name}: {t(`file.problem.${error.problem}`)}
          </p>
          <details className={styles.unfold}>
            <summary>{t("details")}</summary>
            <p className={`${classes.words} ${styles.muted}`}>{error.reason}</p>
          </details>
        </>
      ) : (
        <p className={classes.words}>
          {error.name}: {error.reason}
        </p>
      );
    case "outcomeUnknown":
      return <AnswerLost cause={error.cause} />;
    case "rateLimited":
      return error.retryAfter ? (
        <p className={classes.words}>
          {t("rateLimited.after", { time: durationText(error.retryAfter * 1_000, i18n.language) })}
        </p>
      ) : null;
    case "invalidInput":
      return (
        <p className={classes.words}>
          {fieldLabel ? (
            <strong>{fieldLabel}: </strong>
          ) : (
            error.field !== "" && error.problem == null && <code>{error.field} </code>
          )}
          {worded(error).message}
        </p>
      );
    case "notFound":
      return <p className={classes.words}>{error.missing ? t(`notFound.missing.${error.missing}`) : error.what}</p>;
    case "conflict":
      return <p className={classes.words}>{worded(error).message}</p>;
    case "internal":
      return <p className={classes.words}>{error.message}</p>;
    case "offline":
    case "keyringUnavailable":
    case "storage":
      return <p className={classes.words}>{error.reason}</p>;
    default:
      return null;
  }
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
