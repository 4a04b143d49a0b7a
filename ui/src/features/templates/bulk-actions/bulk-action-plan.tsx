import { Alert, Button, Group, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { type FormEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { changing, countOf } from "@/lib/bulk-actions";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { watchBulkAction } from "@/lib/watched-bulk-actions";
import { BulkActionItems } from "./bulk-action-items";
import classes from "./bulk-actions.module.css";
import { PlannedAccounts } from "./planned-accounts";

/** The templates whose names are blocked, or may be. */
const APPROVED = ["approved", "approvedBefore", "mayBeApproved"] as const;

interface BulkActionPlanProps {
  bulkAction: BulkAction;
  onClose: () => void;
  onStart: () => void;
}

/** What a bulk action would do, before anything is done. A deletion has to be typed. */
export function BulkActionPlan({ bulkAction, onClose, onStart }: BulkActionPlanProps) {
  const { t } = useTranslation("bulkActions");
  const start = useCommand("start_bulk_action");
  const { channelDays: days } = useBootstrap();
  const { workspace, id, confirmation } = bulkAction;
  const action = bulkAction.action;
  const planned = changing(bulkAction);
  const skipped = countOf(bulkAction, "skipped");
  const approved = APPROVED.map((key) => [key, bulkAction[key]] as const).filter(([, count]) => count > 0);
  const form = useForm({ initial: { confirmation: "" } });
  const { confirmation: typed } = form.values;
  // The dialog has placed the focus before the plan is there.
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => element.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus(), []);
  const isTyped = confirmation == null || typed.trim() === confirmation;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTyped) return;
    start.mutate(
      { workspace, id, confirmation: confirmation == null ? null : typed.trim() },
      {
        onSuccess: () => {
          watchBulkAction(id);
          onStart();
        },
      },
    );
  };

  return (
    <form ref={element} onSubmit={submit} className={classes.bulkAction}>
      {planned === 0 ? (
        <p>{t("plan.nothing")}</p>
      ) : (
        <>
          <p>{t(`plan.${action}`, { count: planned })}</p>
          <div className={classes.names}>
            <BulkActionItems bulkAction={bulkAction} state="planned" label={t("plan.names")} />
          </div>
          <PlannedAccounts bulkAction={bulkAction} />
        </>
      )}
      {skipped > 0 && (
        <details className={classes.details}>
          <summary>{t("plan.skipped", { count: skipped })}</summary>
          <BulkActionItems bulkAction={bulkAction} state="skipped" label={t("plan.skipped", { count: skipped })} />
        </details>
      )}
      {action === "archive" && planned > 0 && (
        <Alert variant="light" color="blue" icon={<IconInfoCircle size={18} aria-hidden />} title={t("archive.title")}>
          <p>{t("archive.reversible")}</p>
          <p>{t("archive.upstream", { count: days.archived })}</p>
        </Alert>
      )}
      {action === "delete" && planned > 0 && (
        <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={t("delete.title")}>
          <ul className={classes.facts}>
            <li>{t("delete.gone", { count: planned })}</li>
            {approved.length > 0 && (
              <li>
                {approved.map(([key, count]) => t(`delete.${key}`, { count })).join(" ")}{" "}
                {t("delete.blocked", { count: days.blockedName })}
              </li>
            )}
            {bulkAction.recentSends > 0 && <li>{t("delete.sends", { count: bulkAction.recentSends })}</li>}
            {bulkAction.archived < planned && (
              <li>
                {t("delete.instead")} {t("archive.upstream", { count: days.archived })}
              </li>
            )}
          </ul>
        </Alert>
      )}
      {bulkAction.recentSends > 0 && action === "archive" && (
        <p>{t("delete.sends", { count: bulkAction.recentSends })}</p>
      )}
      {confirmation != null && planned > 0 && (
        <TextInput
          label={t("delete.type", { words: confirmation })}
          value={typed}
          onChange={(event) => form.change({ confirmation: event.currentTarget.value })}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {start.isError && <ErrorNotice error={start.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t(planned === 0 ? "close" : "cancel", { ns: "common" })}
        </Button>
        {planned > 0 && (
          <Button
            type="submit"
            color={action === "delete" ? "red" : undefined}
            disabled={!isTyped}
            loading={start.isPending}
            data-autofocus={confirmation == null || undefined}
          >
            {t(`do.${action}`)}
          </Button>
        )}
      </Group>
    </form>
  );
}
