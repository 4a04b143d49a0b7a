import { useTranslation } from "react-i18next";
import type { FeedGap, FeedSource } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { localTime } from "./instant";
import { NoticeList } from "./notice-list";

interface FeedGapsProps {
  feeds: FeedSource[];
  /** Whether each gap says which server it is about. */
  withAddress?: boolean;
}

/** What followed servers could not give any more, each with what to do and a way to dismiss it. */
export function FeedGaps({ feeds, withAddress = false }: FeedGapsProps) {
  const { t } = useTranslation("settings");
  const gapText = useGapText();
  const dismiss = useCommand("dismiss_feed_gap");
  const notices = feeds.flatMap(({ id, address, gaps }) =>
    gaps.map((gap) => {
      const { title, time } = gapText(gap);
      const { why, deliveries } = gap;
      const text = (
        <>
          <strong>{title}</strong> {withAddress && `${address} · `}
          {time} {t("feeds.gap.todo")}
        </>
      );
      const onDismiss = () => dismiss.mutate({ feed: id, why, deliveries });
      return { id: `${id} ${why}`, text, dismissLabel: t("feeds.gap.dismiss", { title }), onDismiss };
    }),
  );
  return <NoticeList label={t("feeds.gap.label")} notices={notices} error={dismiss.error} />;
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
