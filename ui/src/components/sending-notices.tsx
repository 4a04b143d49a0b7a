import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queries } from "@/lib/ipc/queries";
import { useAccountNoticeText } from "./account-notice";
import { Instant } from "./instant";
import classes from "./notice-list.module.css";

interface Props {
  workspace: string;
  /** Identifier of the number that is to send; nothing is shown without one. */
  number: string;
  /** A free text is sent, within the reply window. */
  isReply?: boolean;
}

/** Restrictions, limits and alerts that concern what is sent from a number: what, since when, and until when. */
export function SendingNotices({ workspace, number, isReply = false }: Props) {
  const { t } = useTranslation("common", { keyPrefix: "accountNotices" });
  const noticeText = useAccountNoticeText(workspace);
  const notices =
    useQuery({ ...queries.sendingNotices(workspace, number, isReply), enabled: number !== "" }).data ?? [];
  if (number === "" || notices.length === 0) return null;
  return (
    <ul className={classes.notices} aria-label={t("label")}>
      {notices.map((notice) => {
        const { title, facts } = noticeText(notice);
        return (
          <li key={notice.id} className={classes.notice} data-severity={notice.severity}>
            <IconAlertTriangle size={16} stroke={1.9} className={classes.severity} aria-hidden />
            <span>
              <strong>{title}</strong> {facts} · {t("since")} <Instant at={notice.at} format="day" />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
