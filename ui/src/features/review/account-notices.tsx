import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AccountNotice } from "@/bindings/app";
import { useAccountNoticeText } from "@/components/account-notice";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./review.module.css";

interface AccountNoticesProps {
  workspace: string;
  notices: AccountNotice[];
}

/** Restrictions, limits and alerts of accounts and numbers, each with its event and a way to dismiss it. */
export function AccountNotices({ workspace, notices }: AccountNoticesProps) {
  const { t } = useTranslation("review");
  const text = useAccountNoticeText(workspace);
  const dismiss = useCommand("dismiss_account_notice");
  if (notices.length === 0) return null;
  return (
    <>
      <ul className={classes.notices} aria-label={t("accounts.label")}>
        {notices.map((notice) => {
          const { title, facts } = text(notice);
          return (
            <li key={notice.id} className={classes.notice} data-severity={notice.severity}>
              <IconAlertTriangle size={16} stroke={1.9} className={classes.severity} aria-hidden />
              <span>
                <strong>{title}</strong> {facts} · <Instant at={notice.at} format="day" />{" "}
                <Link to="/activity" search={{ event: notice.id }}>
                  {t("accounts.toEvent")}
                </Link>
              </span>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t("accounts.dismiss", { title })}
                onClick={() => dismiss.mutate({ workspace, id: notice.id })}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {dismiss.error && <ErrorNotice error={dismiss.error} />}
    </>
  );
}
