import { Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconBan,
  IconCircleCheck,
  IconClockExclamation,
  IconPlayerPause,
  IconReplace,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ReviewBoard } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { cleanFilter, type TemplateFilter } from "@/lib/template-filter";
import classes from "./review.module.css";
import { isOverdue, type UsualReview } from "./usual-review";

/** Statuses that somebody has to do something about. */
const STATUSES = [
  { status: "REJECTED", text: "needs.rejected", Icon: IconX },
  { status: "PAUSED", text: "needs.paused", Icon: IconPlayerPause },
  { status: "DISABLED", text: "needs.disabled", Icon: IconBan },
] as const;

interface NeedsProps {
  board: ReviewBoard;
  usual: UsualReview;
  filter: TemplateFilter;
  isOverdueOnly: boolean;
  /** Takes the filter, and whether only what has waited long is shown. */
  onChange: (filter: TemplateFilter, isOverdueOnly: boolean) => void;
}

/** What needs somebody, in one row; each narrows the board to it, and gives it back. */
export function Needs({ board, usual, filter, isOverdueOnly, onChange }: NeedsProps) {
  const { t } = useTranslation("review");
  const duration = useDurationText();
  const column = (status: string) => board.columns.find((one) => one.status === status);
  const pending = column("PENDING");
  const overdue = pending?.rows.filter((row) => isOverdue(row, usual)).length ?? 0;
  // Beyond the cards that are here nobody has looked.
  const isMore = overdue > 0 && pending !== undefined && pending.count > pending.rows.length;
  const changed = board.facets.categoryChanged;
  const counts = STATUSES.map((need) => ({ ...need, count: column(need.status)?.count ?? 0 }));
  const narrow = (part: TemplateFilter) => onChange(cleanFilter({ ...filter, status: "", ...part }), false);
  const isNothing = overdue === 0 && changed === 0 && counts.every(({ count }) => count === 0);
  return (
    <section className={classes.needs} aria-label={t("needs.title")}>
      <h2>{t("needs.title")}</h2>
      {isNothing && (
        <p>
          <IconCircleCheck size={16} aria-hidden /> {t("needs.nothing")}
        </p>
      )}
      {counts.map(({ status, text, count, Icon }) => (
        <Need
          key={status}
          Icon={Icon}
          count={count}
          isOn={filter.status === status && !isOverdueOnly}
          text={t(text, { count })}
          onToggle={(on) => narrow(on ? { status } : {})}
        />
      ))}
      <Need
        Icon={IconReplace}
        count={changed}
        isOn={filter.changed === "yes"}
        text={t("needs.changed", { count: changed })}
        onToggle={(on) => narrow({ changed: on ? "yes" : "" })}
      />
      <Need
        Icon={IconClockExclamation}
        count={overdue}
        isOn={isOverdueOnly}
        text={t(isMore ? "needs.overdueMore" : "needs.overdue", { count: overdue })}
        hint={t(`needs.overdueHint.${usual.source}`, { time: duration(usual.within) })}
        onToggle={(on) => onChange(cleanFilter({ ...filter, status: on ? "PENDING" : "" }), on)}
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
