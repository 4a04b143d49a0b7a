import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AccountNotice } from "@/bindings/app";
import { useAccountNoticeText } from "@/components/account-notice";
import { Instant } from "@/components/instant";
import { NoticeList } from "@/components/notice-list";
import { useCommand } from "@/lib/ipc/mutations";

interface AccountNoticesProps {
  workspace: string;
  notices: AccountNotice[];
}

/** Restrictions, limits and alerts of accounts and numbers, each with its event and a way to dismiss it. */
export function AccountNotices({ workspace, notices }: AccountNoticesProps) {
  const { t } = useTranslation("review");
  const noticeText = useAccountNoticeText(workspace);
  const dismiss = useCommand("dismiss_account_notice");
  const shown = notices.map((notice) => {
    const { id, at, severity } = notice;
    const { title, facts } = noticeText(notice);
    const text = (
      <>
        <strong>{title}</strong> {facts} · <Instant at={at} format="day" />{" "}
        <Link to="/activity" search={{ event: id }}>
          {t("accounts.toEvent")}
        </Link>
      </>
    );
    const onDismiss = () => dismiss.mutate({ workspace, id });
    return { id, severity, text, dismissLabel: t("accounts.dismiss", { title }), onDismiss };
  });
  return <NoticeList label={t("accounts.label")} notices={shown} error={dismiss.error} />;
}
