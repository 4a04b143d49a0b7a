import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconClockExclamation, IconInfoCircle, IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecretPlace } from "@/bindings/app";
import { durationText } from "@/components/duration";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { dateFormat } from "@/lib/formats";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useAttentionText } from "./attention";
import { CrashActions, OpenBatch, useInterruptedBatch } from "./crash-notice";
import classes from "./notices.module.css";

/** Credentials there may be, once the keyring can be read: its own notice says so. */
const OUT_OF_REACH = new Set<SecretPlace>(["locked", "unreadable"]);

/** Problems of the whole app, above every screen, each with what to do about it. */
export function Notices() {
  const { t, i18n } = useTranslation("shell");
  const { keyring, receiver, notices, restore, workspaces, lastStop } = useBootstrap();
  const workspace = useWorkspace();
  const setReceiver = useCommand("set_receiver");
  const refresh = useCommand("refresh_secrets");
  // What a page of the settings says itself is not repeated above it.
  const section = useSearch({ strict: false, select: ({ section }) => section });
  const newer = useQuery(queries.updates()).data?.available;
  const attention = useAttentionText()(workspace);
  const unfinished = useInterruptedBatch();
  const suggestion = receiver.state === "failed" ? receiver.suggestion : undefined;
  return (
    <div className={classes.notices}>
      {receiver.state === "failed" && (
        <Notice
          id={`receiver ${receiver.address}`}
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={t("notice.receiver")}
          text={t("notice.receiverText", { address: receiver.address, reason: receiver.reason })}
        >
          {suggestion && (
            <Button
              size="compact-xs"
              loading={setReceiver.isPending}
              onClick={() => setReceiver.mutate({ address: suggestion })}
            >
              {t("notice.receiverUse", { address: suggestion })}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link to="/settings" search={{ section: "receiver" }} {...props} />}
          >
            {t("notice.receiverSettings")}
          </Button>
        </Notice>
      )}
      {!workspace.sandbox && !workspace.hasCredentials && !OUT_OF_REACH.has(workspace.credentials) && (
        <Notice
          id={`credentials ${workspace.id}`}
          color="yellow"
          icon={<IconKey size={18} />}
          title={t("notice.credentials", { name: workspace.name })}
          text={t("notice.credentialsText")}
        >
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => (
              <Link to="/settings" search={{ section: "workspace", workspace: workspace.id }} {...props} />
            )}
          >
            {t("notice.enterCredentials")}
          </Button>
        </Notice>
      )}
      {attention && (
        <Notice
          id={`${workspace.attention} ${workspace.id} ${workspace.tokenDaysLeft ?? ""}`}
          color={workspace.attention === "tokenExpiring" ? "yellow" : "red"}
          icon={<IconAlertTriangle size={18} />}
          title={`${workspace.name}: ${attention}`}
          text={t(workspace.attention === "webhooksFailing" ? "attention.webhooksTodo" : "attention.tokenTodo")}
        >
          {workspace.attention === "webhooksFailing" && (
            <Button
              size="compact-xs"
              renderRoot={(props) => <Link to="/activity" search={{ view: "refused" }} {...props} />}
            >
              {t("attention.toRefused")}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => (
              <Link
                to="/settings"
                search={{
                  section: "workspace",
                  workspace: workspace.id,
                  ...(workspace.attention !== "webhooksFailing" && { field: "token" }),
                }}
                {...props}
              />
            )}
          >
            {t("attention.toWorkspace")}
          </Button>
        </Notice>
      )}
      {keyring.state !== "available" && section !== "secrets" && workspaces.some(({ sandbox }) => !sandbox) && (
        <Notice
          id={`keyring ${keyring.state}`}
          color="yellow"
          icon={<IconKey size={18} />}
          title={
            keyring.state === "timedOut"
              ? t("keyring.state.timedOut.what", { ns: "settings", seconds: keyring.seconds })
              : t(keyring.state === "locked" ? "notice.keyringLocked" : "notice.keyring")
          }
          text={
            keyring.state === "locked"
              ? t("notice.keyringLockedText")
              : keyring.state === "timedOut"
                ? t("keyring.state.timedOut.why", { ns: "settings" })
                : t("notice.keyringText", { reason: keyring.reason })
          }
        >
          {keyring.state === "locked" && (
            <Button size="compact-xs" loading={refresh.isPending} onClick={() => refresh.mutate({ unlock: true })}>
              {t("notice.keyringUnlock")}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link to="/settings" search={{ section: "secrets" }} {...props} />}
          >
            {t("notice.keyringMore")}
          </Button>
        </Notice>
      )}
      {workspace.clockDifference !== 0 && (
        <Notice
          id={`clock ${workspace.id}`}
          color="red"
          icon={<IconClockExclamation size={18} />}
          title={t("notice.clockDiffers", {
            time: durationText(Math.abs(workspace.clockDifference), i18n.language),
          })}
          text={t(workspace.clockOffset === 0 ? "notice.clockDiffersText" : "notice.clockText")}
        />
      )}
      {newer && section !== "updates" && (
        <Notice
          id={`update ${newer.version}`}
          color="blue"
          icon={<IconInfoCircle size={18} />}
          title={t("notice.update", { version: newer.version })}
          text={t("notice.updateText")}
        >
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link to="/settings" search={{ section: "updates" }} {...props} />}
          >
            {t("notice.updateMore")}
          </Button>
        </Notice>
      )}
      {lastStop === "unclean" && (
        <Notice
          id="crash"
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title={t("crash.app")}
          text={t("crash.appText")}
        >
          <CrashActions />
        </Notice>
      )}
      {lastStop === "clean" && unfinished && (
        <Notice
          id={`unfinished ${unfinished.id}`}
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title={t("closing.unfinished")}
          text={t("closing.unfinishedText")}
        >
          <OpenBatch batch={unfinished} />
        </Notice>
      )}
      {restore && (
        <Notice
          id={`restore ${restore.at}`}
          color={restore.isDone ? "blue" : "yellow"}
          icon={<IconInfoCircle size={18} />}
          title={t(restore.isDone ? "notice.restored" : "notice.notRestored", {
            at: dateFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(restore.at),
            nest: false,
          })}
          text={t(restore.isDone ? "notice.restoredText" : "notice.notRestoredText")}
        />
      )}
      {notices.map((notice) => (
        <Notice
          key={notice}
          id={notice}
          color="blue"
          icon={<IconInfoCircle size={18} />}
          title={t("notice.start")}
          text={notice}
        />
      ))}
    </div>
  );
}

interface NoticeProps {
  /** A dismissed notice stays away until it says something else. */
  id: string;
  color: string;
  icon: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
}

function Notice({ id, color, icon, title, text, children }: NoticeProps) {
  const { t } = useTranslation("shell");
  const [dismissed, setDismissed] = useState<string>();
  if (dismissed === id) return null;
  return (
    <Alert
      color={color}
      variant="light"
      radius={0}
      icon={icon}
      title={title}
      role="status"
      withCloseButton
      closeButtonLabel={t("notice.dismiss")}
      onClose={() => setDismissed(id)}
      classNames={{ root: classes.notice, title: classes.title }}
    >
      <Group gap="xs" justify="space-between" wrap="wrap">
        <span>{text}</span>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </Alert>
  );
}
