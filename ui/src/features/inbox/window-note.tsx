import { IconClock, IconClockOff } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceWindow } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { isSameDay } from "@/lib/days";
import { useNow } from "@/lib/now";
import classes from "./reply-box.module.css";

/** Whether a free text may be sent to the contact now, and until when. */
export function WindowNote({ window }: { window: ServiceWindow }) {
  const { t, i18n } = useTranslation("inbox");
  const { openUntil } = window;
  const now = useProviderNow(window);
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

/** In a row of the list: how long free text still arrives, or that only templates do. */
export function WindowMark({ window }: { window: ServiceWindow }) {
  const { t, i18n } = useTranslation("inbox");
  const left = (window.openUntil ?? 0) - useProviderNow(window);
  if (left > 0) {
    const time = timeLeft(left, i18n.language, "largest");
    return <span title={t("window.leftLong", { time })}>{t("window.left", { time })}</span>;
  }
  const words = t("window.templatesOnly");
  return <IconClockOff size={15} stroke={1.7} role="img" aria-label={words} title={words} />;
}

/** Whether free text may be sent now; it follows the clock. */
export function useIsOpen(window: ServiceWindow): boolean {
  return useProviderNow(window) < (window.openUntil ?? 0);
}

/** The time by the provider's clock. A window may have closed just now, after the last look at the clock. */
function useProviderNow({ openUntil, clockOffset }: ServiceWindow): number {
  const ticked = useNow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another window is another look at the clock
  const now = useMemo(() => Math.max(ticked, Date.now()), [ticked, openUntil]);
  return now + clockOffset;
}

/** Milliseconds as hours and minutes, rounded down to a minute that is left for sure: "3 hr 12 min", or "3 hr". */
export function timeLeft(ms: number, language: string, units: "all" | "largest" = "all"): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [hours > 0 ? part(hours, "hour") : "", rest > 0 ? part(rest, "minute") : ""].filter(Boolean);
  return (units === "all" ? parts : parts.slice(0, 1)).join(" ");
}
