import { Button } from "@mantine/core";
import { IconCompass } from "@tabler/icons-react";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { FailureDetails } from "@/components/failure-details";
import { PageHeader } from "@/components/page-header";
import { DeskFailure } from "@/lib/ipc/errors";
import classes from "./screen-states.module.css";

/** Shown instead of a screen that failed; the rest of the window keeps working. */
export function ScreenFailed({ error, info, reset }: ErrorComponentProps) {
  const { t } = useTranslation("shell");
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <PageHeader title={t("screenFailed")} />
      <ErrorNotice error={error} onRetry={retry} retryLabel={t("screenRetry")} />
      {!(error instanceof DeskFailure) && (
        <div className={classes.failed}>
          <p>{t("crash.text")}</p>
          <FailureDetails error={error} components={info?.componentStack} />
        </div>
      )}
    </>
  );
}

export function NoSuchScreen() {
  const { t } = useTranslation("shell");
  return (
    <>
      <PageHeader title={t("notFound")} />
      <Empty Icon={IconCompass} title={t("notFound")} text={t("notFoundText")}>
        <Button renderRoot={(props) => <Link to="/templates" {...props} />}>{t("rail.templates")}</Button>
      </Empty>
    </>
  );
}
