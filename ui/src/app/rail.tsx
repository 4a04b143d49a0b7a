import { Kbd, Tooltip, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatusLight } from "@/components/status-light";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { DESTINATIONS } from "./destinations";
import { useModKey } from "./mod-key";
import classes from "./rail.module.css";
import { WorkspaceSwitcher } from "./workspace-switcher";

export function Rail() {
  const { t } = useTranslation("shell");
  // A draft is opened from the templates, and leads back there.
  const composing = useLocation({ select: ({ pathname }) => pathname.startsWith("/drafts/") });
  const narrow = useMediaQuery("(max-width: 61.99em)") ?? false;
  const mod = useModKey();
  return (
    <header className={classes.rail}>
      <WorkspaceSwitcher narrow={narrow} />
      <UnstyledButton
        className={classes.search}
        onClick={spotlight.open}
        aria-label={narrow ? t("palette.open") : undefined}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <span className={`${styles.truncate} ${styles.grow} ${classes.text}`}>{t("palette.open")}</span>
        <Kbd size="xs" className={classes.text} aria-hidden>
          {mod} K
        </Kbd>
      </UnstyledButton>
      <nav aria-label={t("rail.label")} className={classes.destinations}>
        {DESTINATIONS.map(({ to, text, Icon }) => (
          <Tooltip key={to} label={t(text)} position="right" disabled={!narrow}>
            <Link
              to={to}
              className={classes.destination}
              activeProps={{ "data-active": true }}
              inactiveProps={composing && to === "/templates" ? { "data-active": true } : {}}
              aria-label={t(text)}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={classes.text}>{t(text)}</span>
            </Link>
          </Tooltip>
        ))}
      </nav>
      <ReceiverStatus narrow={narrow} />
    </header>
  );
}

/** Whether webhooks can come in, at a glance. */
function ReceiverStatus({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation("shell");
  const { receiver, version } = useBootstrap();
  const text =
    receiver.state === "listening"
      ? t("receiver.listening", { address: receiver.address })
      : receiver.state === "failed"
        ? t("receiver.failed")
        : t("receiver.starting");
  return (
    <Tooltip label={`${text} · Template Desk ${version}`} position="right" openDelay={narrow ? 100 : 350}>
      <Link to="/settings" search={{ section: "receiver" }} className={classes.receiver} aria-label={text}>
        <StatusLight state={receiver.state} />
        <span className={`${styles.truncate} ${classes.text}`}>{text}</span>
      </Link>
    </Tooltip>
  );
}
