import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { NotificationKinds, Presence } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";
import { useStoredPreferences } from "./stored-preferences";

const KINDS = [
  "reviews",
  "pauses",
  "categories",
  "quality",
  "webhooks",
  "tokens",
  "messages",
  "accounts",
] as const satisfies readonly (keyof NotificationKinds)[];

/** Desktop notifications for all workspaces and for single ones, and background mode. */
export function NotificationsSection() {
  const { t } = useTranslation("settings");
  const { workspaces } = useBootstrap();
  const { preferences, change, error } = useStoredPreferences();
  const presence = useQuery(settingsQueries.presence());
  const { notify, notifications, workspaceNotifications } = preferences;
  return (
    <SettingsPage>
      {error && <ErrorNotice error={error} />}
      <Card title={t("notifications.title")}>
        <Switch
          label={t("notifications.label")}
          aria-label={t("notifications.label")}
          description={t("notifications.hint")}
          checked={notify}
          onChange={(event) => change({ notify: event.currentTarget.checked })}
        />
        {presence.data?.canNotify === false && (
          <p className={styles.muted} role="status">
            {t("notifications.cannot")}
          </p>
        )}
        <Kinds
          label={t("notifications.kinds")}
          text={t("notifications.kindsText")}
          kinds={notifications}
          disabled={!notify}
          onChange={(next) => change({ notifications: next })}
        />
      </Card>
      <Card title={t("notifications.byWorkspace")} text={t("notifications.byWorkspaceText")}>
        {workspaces.map((workspace) => {
          const own = workspaceNotifications[workspace.id];
          const set = (kinds: NotificationKinds | undefined) => {
            const { [workspace.id]: _, ...others } = workspaceNotifications;
            change({ workspaceNotifications: kinds ? { ...others, [workspace.id]: kinds } : others });
          };
          return (
            <div key={workspace.id} className={classes.endpoint}>
              <Switch
                label={t("notifications.own", { name: workspace.name })}
                checked={own !== undefined}
                disabled={!notify}
                onChange={(event) => set(event.currentTarget.checked ? { ...notifications } : undefined)}
              />
              {own && (
                <Kinds
                  label={t("notifications.ofWorkspace", { name: workspace.name })}
                  kinds={own}
                  disabled={!notify}
                  onChange={set}
                />
              )}
            </div>
          );
        })}
      </Card>
      <Card title={t("presence.title")}>
        <Switch
          label={t("presence.keepRunning")}
          aria-label={t("presence.keepRunning")}
          description={t("presence.keepRunningHint")}
          checked={preferences.keepRunning}
          onChange={(event) => change({ keepRunning: event.currentTarget.checked })}
        />
        {!preferences.keepRunning && <p className={styles.muted}>{t("presence.closing")}</p>}
        {preferences.keepRunning && presence.data?.tray === false && (
          <p className={styles.muted} role="status">
            {t(presence.data.secondStart ? "presence.startAgain" : "presence.noWayBack")}
          </p>
        )}
        <Switch
          label={t("presence.tray")}
          aria-label={t("presence.tray")}
          description={t("presence.trayHint")}
          checked={preferences.tray}
          onChange={(event) => change({ tray: event.currentTarget.checked })}
        />
        {preferences.tray && presence.data?.tray === false && (
          <p className={styles.muted} role="status">
            {t("presence.noTray")}
          </p>
        )}
        <LoginStart
          presence={presence.data}
          isKept={preferences.keepRunning && (presence.data?.tray || presence.data?.secondStart) === true}
        />
      </Card>
    </SettingsPage>
  );
}

/** Starts the app when the person logs in, where the system lets it. */
function LoginStart({ presence, isKept }: { presence: Presence | undefined; isKept: boolean }) {
  const { t } = useTranslation("settings");
  const set = useCommand("set_login_start");
  if (presence?.startsAtLogin == null) return null;
  return (
    <>
      <Switch
        label={t("presence.login")}
        aria-label={t("presence.login")}
        description={t(isKept ? "presence.loginHidden" : "presence.loginShown")}
        checked={presence.startsAtLogin}
        disabled={set.isPending}
        onChange={(event) => set.mutate({ on: event.currentTarget.checked })}
      />
      {set.error && <ErrorNotice error={set.error} />}
    </>
  );
}

interface KindsProps {
  label: string;
  text?: string;
  kinds: NotificationKinds;
  disabled: boolean;
  onChange: (kinds: NotificationKinds) => void;
}

function Kinds({ label, text, kinds, disabled, onChange }: KindsProps) {
  const { t } = useTranslation("settings");
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes.kinds}>
      <div>
        <p id={id} className={classes.rowLabel}>
          {label}
        </p>
        {text && <p className={styles.small}>{text}</p>}
      </div>
      {KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`notifications.kind.${kind}`)}
          aria-label={t(`notifications.kind.${kind}`)}
          description={t(`notifications.kind.${kind}Hint`)}
          checked={kinds[kind]}
          disabled={disabled}
          onChange={(event) => onChange({ ...kinds, [kind]: event.currentTarget.checked })}
        />
      ))}
    </div>
  );
}
