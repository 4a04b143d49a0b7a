import { Alert, Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconArchive, IconHistory, IconRestore, IconStethoscope } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BackupReport, StorageState } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "../settings.module.css";

/** Backups: made while the app runs, read back, and put in place at the next start. */
export function BackupCard({ state: { lastBackup, pendingRestore } }: { state: StorageState }) {
  const { t, i18n } = useTranslation("storage");
  const backUp = useCommand("back_up");
  const check = useCommand("check_backup");
  const restore = useCommand("restore_backup");
  const cancel = useCommand("cancel_restore");
  const failures = [backUp.error, check.error, restore.error, cancel.error].filter(
    (failure) => failure && failure.code !== "cancelled",
  );
  const newer = restore.data?.newerDeliveries ?? 0;

  const askRestore = () =>
    modals.openConfirmModal({
      title: t("restore.title"),
      children: (
        <div className={classes.rows}>
          <p className={styles.muted}>{t("restore.text")}</p>
          <ul className={classes.points}>
            {(["checked", "start", "aside", "newer"] as const).map((point) => (
              <li key={point}>{t(`restore.${point}`)}</li>
            ))}
          </ul>
        </div>
      ),
      labels: { confirm: t("restore.choose"), cancel: t("cancel", { ns: "common" }) },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () => restore.mutate({}),
    });

  return (
    <Card title={t("backup.title")} text={t("backup.text")}>
      <Facts>
        <dt>{t("backup.last")}</dt>
        <dd>
          {lastBackup ? (
            <>
              <span>
                <Instant at={lastBackup.at} format="full" /> · <code>{lastBackup.path}</code>
              </span>
              <CopyButton text={lastBackup.path} label={t("backup.copyPath")} />
            </>
          ) : (
            t("backup.never")
          )}
        </dd>
      </Facts>
      {pendingRestore && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconHistory size={18} aria-hidden />}
          title={t("restore.pending")}
          role="status"
        >
          <div className={classes.rows}>
            <span>
              {t("restore.pendingText")} <Instant at={pendingRestore.at} format="full" /> ·{" "}
              <code>{pendingRestore.path}</code>
            </span>
            {newer > 0 && (
              <span>
                {t("restore.newerCount", { count: newer, number: new Intl.NumberFormat(i18n.language).format(newer) })}
              </span>
            )}
            <div>
              <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
                {t("restore.cancel")}
              </Button>
            </div>
          </div>
        </Alert>
      )}
      {failures.map((failure, index) => (
        <div key={index} ref={bringIntoView}>
          <ErrorNotice error={failure} />
        </div>
      ))}
      {backUp.data && <Whole title={t("backup.done")} report={backUp.data} />}
      {check.data && <Whole title={t("backup.whole")} report={check.data} />}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconArchive size={15} aria-hidden />}
          loading={backUp.isPending}
          onClick={() => {
            check.reset();
            backUp.mutate({});
          }}
        >
          {t("backup.make")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconStethoscope size={15} aria-hidden />}
          loading={check.isPending}
          onClick={() => {
            backUp.reset();
            check.mutate({});
          }}
        >
          {t("backup.check")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconRestore size={15} aria-hidden />}
          loading={restore.isPending}
          onClick={askRestore}
        >
          {t("restore.open")}
        </Button>
        {(backUp.isPending || check.isPending || restore.isPending) && (
          <span className={styles.muted} role="status">
            {t(backUp.isPending ? "backup.running" : "backup.reading")}
          </span>
        )}
      </div>
    </Card>
  );
}

/** What went wrong may be above or below what is in view. */
const bringIntoView = (node: HTMLElement | null) => node?.scrollIntoView?.({ block: "nearest" });

/** A backup that was read whole. */
function Whole({ title, report: { path, at, bytes, deliveries } }: { title: string; report: BackupReport }) {
  const { t, i18n } = useTranslation("storage");
  return (
    <p className={classes.preview} role="status">
      <strong>{title}</strong>{" "}
      <span>
        {t("backup.wholeText", {
          count: deliveries,
          number: new Intl.NumberFormat(i18n.language).format(deliveries),
          size: byteSize(bytes, i18n.language),
          date: new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(at),
        })}{" "}
        <code>{path}</code>
      </span>
    </p>
  );
}
