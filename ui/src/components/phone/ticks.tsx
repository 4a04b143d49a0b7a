import { Tooltip } from "@mantine/core";
import {
  IconAlertCircle,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelpCircle,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { exactTime } from "@/components/instant";
import { useStatusText } from "@/components/status-badge";
import classes from "./phone.module.css";

const TICKS: Record<string, TablerIcon> = {
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
  refused: IconAlertCircle,
  unknown: IconHelpCircle,
};

interface TicksProps {
  /** State of a message that was sent; a clock until it is with the channel. */
  state: string;
  /** When it got that state, in Unix milliseconds. */
  at?: number | null | undefined;
}

/** How far a message came, as on a phone; in words on hover. */
export function Ticks({ state, at }: TicksProps) {
  const { i18n } = useTranslation();
  const word = useStatusText()(state);
  const Icon = TICKS[state] ?? IconClock;
  return (
    <Tooltip label={at == null ? word : `${word} · ${exactTime(at, i18n.language)}`}>
      <span className={classes.ticks} data-state={state} role="img" aria-label={word}>
        <Icon size={15} stroke={2} />
      </span>
    </Tooltip>
  );
}
