import { Button, Group } from "@mantine/core";
import { IconClock, IconClockOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceWindow } from "@/bindings/app";
import { Instant } from "@/components/instant";
import classes from "./inbox.module.css";

interface WindowNoteProps {
  contact: string;
  window: ServiceWindow;
}

/** Whether free text may be sent to the contact now, and the way to answer. */
export function WindowNote({ contact, window: { lastInboundAt, openUntil } }: WindowNoteProps) {
  const { t, i18n } = useTranslation("inbox");
  const now = useNow();
  const open = openUntil != null && openUntil > now;
  return (
    <section className={classes.window} aria-label={t("window.label")} data-open={open || undefined}>
      <p>
        {open ? <IconClock size={15} stroke={1.7} aria-hidden /> : <IconClockOff size={15} stroke={1.7} aria-hidden />}
        <span>
          {openUntil == null ? (
            t("window.unknown")
          ) : (
            <>
              {t(open ? "window.open" : "window.closed")} <Instant at={openUntil} format="moment" />
              {open && <> ({timeLeft(openUntil - now, i18n.language)})</>}
            </>
          )}
          {!open && lastInboundAt != null && <> {t("window.templatesOnly")}</>}
        </span>
      </p>
      <Group gap="0.5rem">
        {open && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/sends/new" search={{ to: contact, mode: "text" }} {...props} />}
          >
            {t("window.text")}
          </Button>
        )}
        <Button variant="default" renderRoot={(props) => <Link to="/sends/new" search={{ to: contact }} {...props} />}>
          {t("window.template")}
        </Button>
      </Group>
    </section>
  );
}

/** Time between two looks at the clock, in milliseconds. */
const TICK = 30_000;

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Milliseconds as hours and minutes, rounded up: "3 hr 12 min". */
export function timeLeft(ms: number, language: string): string {
  const minutes = Math.ceil(ms / 60_000);
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? part(hours, "hour") : "", rest > 0 ? part(rest, "minute") : ""].filter(Boolean).join(" ");
}
