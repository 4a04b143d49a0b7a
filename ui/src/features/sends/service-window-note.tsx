import { Alert } from "@mantine/core";
import { IconClock, IconClockCheck, IconClockOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceWindow } from "@/bindings/app";
import { Instant } from "@/components/instant";

/** Whether the person wrote within the last 24 hours, so that a free text arrives. */
export function ServiceWindowNote({ window }: { window: ServiceWindow | undefined }) {
  const { t } = useTranslation("sends");
  const openUntil = window?.openUntil ?? undefined;
  // By the clock of this computer.
  const closesAt = openUntil === undefined ? undefined : openUntil - (window?.clockOffset ?? 0);
  const now = useNowUntil(closesAt);
  if (window === undefined || window.lastInboundAt == null || openUntil === undefined) {
    return (
      <Alert color="gray" variant="light" icon={<IconClock size={18} />} title={t("window.unknown")}>
        {t(window === undefined ? "window.about" : "window.unknownText")}
      </Alert>
    );
  }
  const open = closesAt !== undefined && closesAt > now;
  const Icon = open ? IconClockCheck : IconClockOff;
  return (
    <Alert color={open ? "teal" : "orange"} variant="light" icon={<Icon size={18} />}>
      {t(open ? "window.open" : "window.closed")} <Instant at={openUntil} format="full" />. {t("window.last")}{" "}
      <Instant at={window.lastInboundAt} format="full" />.
    </Alert>
  );
}

/** The current time; updated when `at` has passed. */
function useNowUntil(at: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const left = at === undefined ? -1 : at - Date.now();
    if (left < 0) return setNow(Date.now());
    const timer = setTimeout(() => setNow(Date.now()), left + 1);
    return () => clearTimeout(timer);
  }, [at]);
  return now;
}
