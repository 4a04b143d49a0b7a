import { IconClock, IconClockOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ServiceWindow } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { isSameDay } from "@/lib/days";
import { useNow } from "@/lib/now";
import classes from "./reply-box.module.css";

/** Whether a free text may be sent to the contact now, and until when. */
export function WindowNote({ window }: { window: ServiceWindow }) {
  const { t, i18n } = useTranslation("inbox");
  const { openUntil, clockOffset } = window;
  const now = useNow() + clockOffset;
  const left = openUntil == null ? 0 : openUntil - now;
  if (openUntil != null && left > 0) {
    return (
      <p className={classes.note} data-open>
        <IconClock size={15} stroke={1.7} aria-hidden />
        <span>
          {t("window.open")} <Instant at={openUntil} format="brief" /> ({timeLeft(left, i18n.language)})
        </span>
      </p>
    );
  }
  return (
    <p className={classes.note}>
      <IconClockOff size={18} stroke={1.7} aria-hidden />
      <span>
        <strong>{t("window.templatesOnly")}</strong>
        {openUntil == null ? (
          t("window.unknown")
        ) : (
          <>
            {t(isSameDay(openUntil, now) ? "window.closed" : "window.closedOn")}{" "}
            <Instant at={openUntil} format="brief" />. {t("window.reopens")}
          </>
        )}
      </span>
    </p>
  );
}

/** Whether free text may be sent now; it follows the clock. */
export function useIsOpen({ openUntil, clockOffset }: ServiceWindow): boolean {
  return useNow() + clockOffset < (openUntil ?? 0);
}

/** Milliseconds as hours and minutes, rounded up: "3 hr 12 min". */
export function timeLeft(ms: number, language: string): string {
  const minutes = Math.ceil(ms / 60_000);
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? part(hours, "hour") : "", rest > 0 ? part(rest, "minute") : ""].filter(Boolean).join(" ");
}
