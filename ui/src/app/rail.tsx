import { Kbd, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Hint, TOOLTIP_DELAY } from "@/components/hint";
import { StatusLight } from "@/components/status-light";
import styles from "@/components/styles.module.css";
import { useNarrowerThan } from "@/lib/appearance";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useAriaKeys, useKeyNames, useShortcutKeys } from "@/lib/shortcuts";
import { DESTINATIONS } from "./destinations";
import { useWebhookHealth } from "./health";
import { palette } from "./palette";
import classes from "./rail.module.css";
import { WorkspaceSwitcher } from "./workspace-switcher";

/** Larger counts are shown as "99+". */
const MAX_SHOWN = 99;

export function Rail() {
  const { t } = useTranslation("shell");
  // A draft is opened from the templates, and leads back there.
  const composing = useLocation({ select: ({ pathname }) => pathname.startsWith("/drafts/") });
  const narrow = useNarrowerThan(61.99);
  const keyNames = useKeyNames();
  const keysOf = useShortcutKeys();
  const ariaKeys = useAriaKeys();
  const unread = useQuery(queries.unread(useWorkspace().id)).data?.contacts ?? 0;
  return (
    <header className={classes.rail}>
      <WorkspaceSwitcher narrow={narrow} />
      <UnstyledButton
        className={classes.search}
        onClick={palette.open}
        aria-label={narrow ? t("palette.open") : undefined}
        aria-keyshortcuts={ariaKeys("palette")}
      >
        <IconSearch size={16} stroke={1.7} aria-hidden />
        <span className={`${styles.truncate} ${styles.grow} ${classes.text}`}>{t("palette.short")}</span>
        <Kbd size="xs" className={classes.text} aria-hidden>
          {keyNames(keysOf("palette")[0] ?? "").join(" ")}
        </Kbd>
      </UnstyledButton>
      <nav aria-label={t("rail.label")} className={classes.destinations}>
        {DESTINATIONS.map(({ to, text, Icon }) => {
          const link = (
            <Link
              to={to}
              className={classes.destination}
              activeProps={{ "data-active": true }}
              inactiveProps={composing && to === "/templates" ? { "data-active": true } : {}}
              aria-label={to === "/inbox" && unread > 0 ? undefined : t(text)}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={`${styles.grow} ${classes.text}`} aria-hidden>
                {t(text)}
              </span>
              {to === "/inbox" && unread > 0 && (
                <>
                  <VisuallyHidden>{t("rail.unread", { name: t(text), count: unread })}</VisuallyHidden>
                  <span className={classes.unread} aria-hidden>
                    {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
                  </span>
                </>
              )}
            </Link>
          );
          // The wide rail shows the text itself.
          return (
            <Hint key={to} label={() => t(text)} position="right" disabled={!narrow}>
              {link}
            </Hint>
          );
        })}
      </nav>
      <ReceiverStatus narrow={narrow} />
    </header>
  );
}

/** Whether webhooks can come in, at a glance. */
function ReceiverStatus({ narrow }: { narrow: boolean }) {
  const { version } = useBootstrap();
  const workspace = useWorkspace();
  // The address is that of this computer, not the one a workspace gives to its provider: it is not shown by itself.
  const { level, text, sentence, leadsTo } = useWebhookHealth(workspace);
  return (
    <Hint
      label={() => `${sentence} · Template Desk ${version}`}
      position="right"
      multiline
      maw="22rem"
      openDelay={narrow ? 100 : TOOLTIP_DELAY}
    >
      <Link
        {...(leadsTo === "refused"
          ? { to: "/activity", search: { view: "refused" } }
          : { to: "/settings", search: { section: "receiver" } })}
        className={classes.receiver}
        aria-label={level === "good" || level === "unknown" ? text : `${text}. ${sentence}`}
      >
        <StatusLight level={level} />
        <span className={`${styles.truncate} ${classes.text}`}>{text}</span>
      </Link>
    </Hint>
  );
}
