import { Alert, Button, Progress } from "@mantine/core";
import { IconAlertTriangle, IconExternalLink, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Announcement, InstallStep, UpdateProblem, UpdateState } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./settings.module.css";

/** What the last check found, and how far an installation is. */
export function UpdateOutcome({ state }: { state: UpdateState }) {
  const { t } = useTranslation("settings");
  const { settings, version, available, step, checkedAt, problem } = state;
  const failed = step?.kind === "failed" && (
    <ProblemAlert title={t("updates.installProblemTitle")} problem={step.problem} />
  );
  if (!settings.enabled) {
    return (
      <>
        {failed}
        <Status>{t("updates.off")}</Status>
      </>
    );
  }
  return (
    <>
      {failed}
      {available && <Offer state={state} available={available} />}
      {problem && <ProblemAlert title={t("updates.problemTitle")} problem={problem} />}
      {checkedAt == null ? (
        <Status>{t("updates.never")}</Status>
      ) : (
        <Status>
          {!available && !problem && `${t("updates.current", { version })} `}
          {t("updates.checkedAt")} <Instant at={checkedAt} format="full" />
        </Status>
      )}
    </>
  );
}

/** The newer version, what is new in it, and how this copy gets it. */
function Offer({ state: { version, installation, step }, available }: { state: UpdateState; available: Announcement }) {
  const { t } = useTranslation("settings");
  const openLink = useCommand("open_link");
  const { notes, page } = available;
  return (
    <Alert
      color="blue"
      variant="light"
      icon={<IconInfoCircle size={18} aria-hidden />}
      title={t("updates.available", { version: available.version })}
    >
      <p>{t("updates.availableText", { version })}</p>
      {notes !== "" && <p className={classes.notes}>{notes}</p>}
      {installation === "debPackage" || installation === "rpmPackage" || installation === "folder" ? (
        <p>{t(`updates.by.${installation}`)}</p>
      ) : (
        <Installing step={step ?? undefined} />
      )}
      {page && (
        <>
          <Button
            mt="xs"
            variant="default"
            rightSection={<IconExternalLink size={15} aria-hidden />}
            loading={openLink.isPending}
            onClick={() => openLink.mutate({ url: page })}
          >
            {t("updates.open")}
          </Button>
          <p className={styles.muted}>{page}</p>
        </>
      )}
      {openLink.error && <ErrorNotice error={openLink.error} />}
    </Alert>
  );
}

function Installing({ step }: { step: InstallStep | undefined }) {
  const { t, i18n } = useTranslation("settings");
  const install = useCommand("install_update");
  const size = (bytes: number) => byteSize(bytes, i18n.language);
  if (step?.kind === "finishing") return <Status>{t("updates.finishing")}</Status>;
  if (step?.kind === "downloading") {
    const { received, total } = step;
    return (
      <>
        <Status>
          {total == null
            ? t("updates.downloading", { received: size(received) })
            : t("updates.downloadingOf", { received: size(received), total: size(total) })}
        </Status>
        {total != null && <Progress value={(received / total) * 100} size="sm" aria-label={t("updates.install")} />}
      </>
    );
  }
  return (
    <>
      <p className={styles.muted}>{t("updates.installText")}</p>
      <Button mt="xs" loading={install.isPending} onClick={() => install.mutate({})}>
        {t("updates.install")}
      </Button>
      {install.error && <ErrorNotice error={install.error} />}
    </>
  );
}

function ProblemAlert({ title, problem }: { title: string; problem: UpdateProblem }) {
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
      <Problem problem={problem} />
    </Alert>
  );
}

function Problem({ problem }: { problem: UpdateProblem }) {
  const { t, i18n } = useTranslation("settings");
  switch (problem.kind) {
    case "status":
      return t("updates.problem.status", { status: problem.status });
    case "tooLarge":
      return t("updates.problem.tooLarge", { limit: byteSize(problem.limit, i18n.language) });
    case "noFile":
      return t("updates.problem.noFile", { system: problem.system });
    case "downgrade":
    case "notInstalled":
      return t(`updates.problem.${problem.kind}`, { version: problem.version });
    case "installerFailed":
      return t("updates.problem.installerFailed", { reason: problem.reason, nest: false });
    default:
      return t(`updates.problem.${problem.kind}`);
  }
}

function Status({ children }: { children: ReactNode }) {
  return (
    <p className={styles.muted} role="status">
      {children}
    </p>
  );
}
