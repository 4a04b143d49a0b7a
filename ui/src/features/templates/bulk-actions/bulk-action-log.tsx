import { Modal } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { changing, countOf } from "@/lib/bulk-actions";
import { useWorkspace } from "@/lib/desk";
import { useReturnFocus } from "@/lib/return-focus";
import { isUnderWay, shownRunState } from "@/lib/run-state";
import { templatesQueries } from "../queries";
import classes from "./bulk-actions.module.css";
import { useOpenBulkAction } from "./use-bulk-actions";

/** States of templates that were not changed, or perhaps not. */
const REMAINING = ["failed", "unknown", "cancelled", "planned"] as const;

/** What was archived, unarchived and deleted from here, newest first. */
export function BulkActionLog() {
  useReturnFocus();
  const { t } = useTranslation("bulkActions");
  const open = useOpenBulkAction();
  const bulkActions = useQuery(templatesQueries.bulkActions(useWorkspace().id));
  const list = bulkActions.data?.filter(({ state }) => state !== "planned");
  return (
    <Modal
      opened
      size="lg"
      title={t("log.title")}
      onClose={() => open(undefined)}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
    >
      {bulkActions.isPending && <Loading rows={3} />}
      {bulkActions.isError && <ErrorNotice error={bulkActions.error} onRetry={() => void bulkActions.refetch()} />}
      {list?.length === 0 && <Empty Icon={IconHistory} title={t("log.none")} text={t("log.noneText")} />}
      {list && list.length > 0 && (
        <ul className={classes.log}>
          {list.map((bulkAction) => (
            <li key={bulkAction.id}>
              <Entry bulkAction={bulkAction} onOpen={() => open(bulkAction.id)} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function Entry({ bulkAction, onOpen }: { bulkAction: BulkAction; onOpen: () => void }) {
  const { t } = useTranslation("bulkActions");
  const remaining = isUnderWay(bulkAction) ? [] : REMAINING.filter((state) => countOf(bulkAction, state) > 0);
  return (
    <button type="button" className={classes.entry} onClick={onOpen}>
      <span className={classes.entryWords}>
        <b>{t(`title.${bulkAction.action}`, { count: changing(bulkAction) })}</b>
        <span className={styles.small}>
          {bulkAction.undoOf != null && `${t("log.undo")} · `}
          {bulkAction.names.slice(0, 3).join(", ")}
          {bulkAction.nameCount > 3 && ` ${t("plan.moreNames", { count: bulkAction.nameCount - 3 })}`}
        </span>
      </span>
      {remaining.length > 0 && (
        <span className={classes.remaining} data-failed={remaining.includes("failed") || undefined}>
          {remaining.map((state) => t(`progress.${state}`, { count: countOf(bulkAction, state) })).join(" · ")}
        </span>
      )}
      <StatusBadge status={shownRunState(bulkAction.state, countOf(bulkAction, "unknown"))} />
      <span className={styles.small}>
        <Instant at={bulkAction.startedAt ?? bulkAction.createdAt} format="moment" />
      </span>
    </button>
  );
}
