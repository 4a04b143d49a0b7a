import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { FeedGap, FeedSource } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { ErrorNotice } from "./error-notice";
import classes from "./feed-gaps.module.css";
import { localTime } from "./instant";

interface FeedGapsProps {
  feeds: FeedSource[];
  /** Whether each gap says which server it is about. */
  withAddress?: boolean;
}

/** What followed servers could not give any more, each with what to do and a way to dismiss it. */
export function FeedGaps({ feeds, withAddress = false }: FeedGapsProps) {
  const { t } = useTranslation("settings");
  const text = useGapText();
  const dismiss = useCommand("dismiss_feed_gap");
  if (feeds.every(({ gaps }) => gaps.length === 0)) return null;
  return (
    <>
      <ul className={classes.gaps} aria-label={t("feeds.gap.label")}>
        {feeds.flatMap(({ id, address, gaps }) =>
          gaps.map((gap) => {
            const { title, time } = text(gap);
            const { why, deliveries } = gap;
            return (
              <li key={`${id} ${why}`} className={classes.gap}>
                <IconAlertTriangle size={16} stroke={1.9} className={classes.icon} aria-hidden />
                <span>
                  <strong>{title}</strong> {withAddress && `${address} · `}
                  {time} {t("feeds.gap.todo")}
                </span>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t("feeds.gap.dismiss", { title })}
                  onClick={() => dismiss.mutate({ feed: id, why, deliveries })}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            );
          }),
        )}
      </ul>
      {dismiss.error && <ErrorNotice error={dismiss.error} />}
    </>
  );
}

function useGapText() {
  const { t, i18n } = useTranslation("settings");
  const number = new Intl.NumberFormat(i18n.language);
  return ({ why, reason, deliveries, after, before }: FeedGap) => {
    const to = localTime(before, i18n.language);
    return {
      title: t(`feeds.gap.${reason}`, { count: deliveries, number: number.format(deliveries), why }),
      time:
        after == null
          ? t("feeds.gap.before", { to })
          : t("feeds.gap.between", { from: localTime(after, i18n.language), to }),
    };
  };
}
