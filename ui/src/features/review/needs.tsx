import { Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconBan,
  IconCircleCheck,
  IconClockExclamation,
  IconHourglassLow,
  IconPlayerPause,
  IconReplace,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { AccountNotice, FeedSource, ReviewNeeds } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { FeedGaps } from "@/components/feed-gaps";
import { localTime } from "@/components/instant";
import { useAddedText } from "@/components/raised-category";
import { cleanFilter, type TemplateFilter } from "@/lib/template-filter";
import { AccountNotices } from "./account-notices";
import classes from "./review.module.css";

/** Statuses that need attention. */
const STATUSES = [
  { status: "REJECTED", count: "rejected", text: "needs.rejected", Icon: IconX },
  { status: "PAUSED", count: "paused", text: "needs.paused", Icon: IconPlayerPause },
  { status: "DISABLED", count: "disabled", text: "needs.disabled", Icon: IconBan },
] as const;

interface NeedsProps {
  needs: ReviewNeeds;
  filter: TemplateFilter;
  notices: AccountNotice[];
  /** The servers that are followed for the workspace. */
  feeds: FeedSource[];
  workspace: string;
  onChange: (filter: TemplateFilter) => void;
}

/** Notices about accounts, what followed servers could not give, and counts of the statuses that need attention, in one row; each filters the board by its status and back. */
export function Needs({ needs, filter, notices, feeds, workspace, onChange }: NeedsProps) {
  const { t, i18n } = useTranslation("review");
  const duration = useDurationText();
  const { categoryChanged, overdue, atRisk } = needs;
  const added = useAddedText()(needs.raisedMonth);
  const counts = STATUSES.map((need) => ({ ...need, count: needs[need.count] }));
  // One at a time: what needs two things at once is rarely what is looked for.
  const narrow = (part: TemplateFilter) =>
    onChange(cleanFilter({ ...filter, status: "", changed: "", overdue: "", risk: "", ...part }));
  const isNothing =
    [overdue, categoryChanged, atRisk, ...counts.map(({ count }) => count)].every((count) => count === 0) &&
    notices.length === 0 &&
    feeds.every(({ gaps }) => gaps.length === 0);
  return (
    <section className={classes.needs} aria-label={t("needs.title")}>
      <h2>{t("needs.title")}</h2>
      {isNothing && (
        <p>
          <IconCircleCheck size={16} aria-hidden /> {t("needs.nothing")}
        </p>
      )}
      <AccountNotices workspace={workspace} notices={notices} />
      <FeedGaps feeds={feeds} withAddress />
      {counts.map(({ status, text, count, Icon }) => (
        <Need
          key={status}
          Icon={Icon}
          count={count}
          isOn={filter.status === status}
          text={t(text, { count })}
          onToggle={(on) => narrow(on ? { status } : {})}
        />
      ))}
      <Need
        Icon={IconReplace}
        count={categoryChanged}
        isOn={filter.changed === "yes"}
        text={[t("needs.changed", { count: categoryChanged }), ...(added ? [added] : [])].join(" · ")}
        hint={added && t("needs.changedHint")}
        onToggle={(on) => narrow({ changed: on ? "yes" : "" })}
      />
      <Need
        Icon={IconClockExclamation}
        count={overdue}
        isOn={filter.overdue === "yes"}
        text={t("needs.overdue", { count: overdue })}
        hint={t(needs.usualSeen ? "needs.overdueHint.seen" : "needs.overdueHint.stated", {
          time: duration(needs.usualMs),
        })}
        onToggle={(on) => narrow({ overdue: on ? "yes" : "" })}
      />
      <Need
        Icon={IconHourglassLow}
        count={atRisk}
        isOn={filter.risk === "yes"}
        text={t("needs.risk", { count: atRisk })}
        hint={t("needs.riskHint", { date: localTime(needs.riskUntil, i18n.language) })}
        onToggle={(on) => narrow({ risk: on ? "yes" : "" })}
      />
    </section>
  );
}

interface NeedProps {
  Icon: TablerIcon;
  count: number;
  isOn: boolean;
  text: string;
  hint?: string;
  onToggle: (on: boolean) => void;
}

function Need({ Icon, count, isOn, text, hint, onToggle }: NeedProps) {
  // What was filtered by stays, to be taken back.
  if (count === 0 && !isOn) return null;
  return (
    <Tooltip label={hint} disabled={hint === undefined} multiline maw="20rem">
      <UnstyledButton className={classes.need} aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
        <Icon size={15} stroke={1.9} aria-hidden /> {text}
      </UnstyledButton>
    </Tooltip>
  );
}
