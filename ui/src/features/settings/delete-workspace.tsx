import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useCommand } from "@/lib/ipc/mutations";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";

/** Deletes a workspace after a question that lists what is lost. */
export function DeleteWorkspace({ workspace, onDeleted }: { workspace: Workspace; onDeleted: () => void }) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const remove = useCommand("delete_workspace");
  const { name } = workspace.settings;
  const ask = () =>
    modals.openConfirmModal({
      title: t("remove.title", { name }),
      children: (
        <div className={classes.lost}>
          <p className={styles.muted}>{t("remove.text", { name })}</p>
          <Lost workspace={workspace.id} />
          <p className={styles.muted}>{t("remove.lost.backup")}</p>
          <div>
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => {
                modals.closeAll();
                void navigate({ to: "/settings", search: { section: "storage" } });
              }}
            >
              {t("remove.lost.toBackup")}
            </Button>
          </div>
        </div>
      ),
      labels: { confirm: t("remove.confirm", { name }), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () =>
        remove.mutate(
          { workspace: workspace.id },
          {
            onSuccess: () => {
              onDeleted();
              notifications.show({ message: t("remove.done", { name }) });
              void navigate({ to: "/settings", search: { section: "workspace" } });
            },
          },
        ),
    });
  return (
    <Card title={t("remove.heading")} text={t("remove.text", { name })}>
      {remove.error && <ErrorNotice error={remove.error} />}
      <div>
        <Button
          color="red"
          variant="light"
          leftSection={<IconTrash size={15} aria-hidden />}
          loading={remove.isPending}
          onClick={ask}
        >
          {t("remove.open")}
        </Button>
      </div>
    </Card>
  );
}

/** What is deleted with a workspace, with counts. */
function Lost({ workspace }: { workspace: string }) {
  const { t } = useTranslation("settings");
  const contents = useQuery(settingsQueries.contents(workspace));
  const optOuts = useQuery(settingsQueries.optOuts(workspace, "", 1));
  const error = contents.error ?? optOuts.error;
  if (error) return <ErrorNotice error={error} />;
  if (!contents.data || !optOuts.data) return <Loading />;
  const { hasRateCard, ...counts } = contents.data;
  const all = { ...counts, optOuts: optOuts.data.total };
  const kinds = ["batches", "sends", "drafts", "recipients", "optOuts", "savedReplies"] as const;
  return (
    <>
      <p>{t("remove.lost.title")}</p>
      <ul>
        {kinds.map((kind) => all[kind] > 0 && <li key={kind}>{t(`remove.lost.${kind}`, { count: all[kind] })}</li>)}
        {hasRateCard && <li>{t("remove.lost.rateCard")}</li>}
        <li>{t("remove.lost.rest")}</li>
      </ul>
      <p className={styles.muted}>{t("remove.lost.kept")}</p>
    </>
  );
}
