import { Alert, Button, Group } from "@mantine/core";
import { IconArchive, IconCircleX, IconHourglass, IconLock, IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { EditContext, EditQuota } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { RejectionReason, useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { isVerdict } from "@/components/verdicts";
import classes from "./edit.module.css";
import { useComposer } from "./store";
import { WhatToFix } from "./what-to-fix";

/** Statuses in which the channel takes no edit and that this app knows to explain (upstream §5.1, §5.3). */
const CLOSED = [
  "PENDING",
  "IN_REVIEW",
  "IN_APPEAL",
  "DISABLED",
  "PENDING_DELETION",
  "DELETED",
  "LIMIT_EXCEEDED",
  "FLAGGED",
  "LOCKED",
] as const;

interface EditBannerProps {
  onJump: (path: string) => void;
  onResubmit: () => Promise<void>;
  resubmitting: boolean;
}

/** What the edited template allows: its status, the edits left, and what to do about a rejection. */
export function EditBanner({ onJump, onResubmit, resubmitting }: EditBannerProps) {
  const { t } = useTranslation("composer");
  const context = useComposer((state) => state.context);
  const reasonTitle = useReasonTitle();
  if (!context) return null;
  const rejected = context.status === "REJECTED" && !context.archived;
  return (
    <section aria-label={t("edit.region")} className={classes.banner}>
      <Alert
        role="group"
        className={classes.box}
        color={rejected ? "red" : context.editable ? "brand" : "yellow"}
        variant="light"
        icon={<BannerIcon context={context} />}
        title={
          <span className={classes.title}>
            {rejected ? reasonTitle(context.rejectedReason) : t(context.editable ? "edit.title" : "edit.closed")}
            <StatusBadge status={context.archived ? "ARCHIVED" : context.status} />
          </span>
        }
      >
        {rejected ? (
          <>
            <RejectionReason reason={context.rejectedReason} advice={adviceOf(context)} />
            {context.approvedInSome && <p>{t("edit.mixed")}</p>}
            {context.quota && <Quota quota={context.quota} />}
            <WhatToFix context={context} onJump={onJump} />
            <Group gap="xs" mt="sm">
              <Button size="compact-md" loading={resubmitting} onClick={() => void onResubmit()}>
                {t("edit.resubmit")}
              </Button>
              <span className={styles.small}>{t("edit.resubmitHint")}</span>
            </Group>
          </>
        ) : (
          <>
            <StatusWords context={context} />
            {context.quota && <Quota quota={context.quota} />}
          </>
        )}
      </Alert>
    </section>
  );
}

function BannerIcon({ context: { archived, status, editable } }: { context: EditContext }) {
  const Icon = archived
    ? IconArchive
    : status === "REJECTED"
      ? IconCircleX
      : editable
        ? IconPencil
        : status === "PENDING" || status === "IN_REVIEW" || status === "IN_APPEAL"
          ? IconHourglass
          : IconLock;
  return <Icon size={20} stroke={1.7} aria-hidden />;
}

/** What the provider said, which the finding of the rejection carries. */
function adviceOf({ guidance }: EditContext): string | undefined {
  const values = guidance.find(isVerdict)?.values;
  const words = [values?.reason, values?.advice].filter((text) => text !== undefined && text !== "");
  return words.length > 0 ? words.join("\n") : undefined;
}

function StatusWords({ context }: { context: EditContext }) {
  const { t } = useTranslation("composer");
  if (context.approvedInSome) return <p>{t("edit.mixed")}</p>;
  if (context.editable) {
    return <p>{t(context.status === "PAUSED" ? "edit.open.PAUSED" : "edit.open.other")}</p>;
  }
  const closed = context.archived ? "ARCHIVED" : (CLOSED.find((word) => word === context.status) ?? "other");
  return (
    <>
      <p>{t(`edit.why.${closed}`, { status: context.status, nest: false })}</p>
      <p>{t(`edit.todo.${closed}`)}</p>
      <p className={styles.small}>{t("edit.anyway")}</p>
    </>
  );
}

/** How many edits of the template are left, and when the next one is. */
export function Quota({ quota }: { quota: EditQuota }) {
  const { t } = useTranslation("composer");
  const left = (used: number, allowed: number) => Math.max(0, allowed - used);
  return (
    <div className={classes.quota} data-none={quota.nextAt != null || undefined}>
      <strong>
        {t("edit.quota", {
          day: left(quota.usedDay, quota.perDay),
          perDay: quota.perDay,
          month: left(quota.usedMonth, quota.perMonth),
          perMonth: quota.perMonth,
        })}
      </strong>{" "}
      {quota.nextAt != null && (
        <>
          {t("edit.next")} <Instant at={quota.nextAt} format="full" />.{" "}
        </>
      )}
      <span className={styles.small}>{t("edit.quotaRule")}</span>
    </div>
  );
}
