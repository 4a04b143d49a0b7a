import { Menu, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconFlask2, IconPlus, IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { WorkspaceSummary } from "@/bindings/app";
import { Hint } from "@/components/hint";
import { MenuOnDemand } from "@/components/on-demand";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useAttentionText } from "./attention";
import { useConnectionHealth } from "./health";
import { WorkspaceKey } from "./workspace-key";
import classes from "./workspace-switcher.module.css";
import { keyShortcutOf, useGoToWorkspace } from "./workspace-switching";

export function WorkspaceSwitcher({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation("shell");
  const { workspaces } = useBootstrap();
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const goTo = useGoToWorkspace();
  const attention = useAttentionText();
  // The one shown says so itself, or a notice above the screen does.
  const needy = workspaces.filter((entry) => entry.id !== workspace.id && attention(entry) !== undefined);
  const elsewhere =
    needy.length > 0 ? t("attention.elsewhere", { names: needy.map(({ name }) => name).join(", ") }) : undefined;
  return (
    <MenuOnDemand
      position={narrow ? "right-start" : "bottom-start"}
      width="16rem"
      shadow="md"
      withinPortal
      target={
        <UnstyledButton
          className={classes.target}
          title={narrow ? workspace.name : undefined}
          aria-label={
            narrow ? [t("workspace.switch", { name: workspace.name }), elsewhere].filter(Boolean).join(". ") : undefined
          }
        >
          <Mark workspace={workspace} />
          {narrow && elsewhere !== undefined && <span className={classes.dot} aria-hidden />}
          {!narrow && (
            <>
              <VisuallyHidden>{t("workspace.label")}</VisuallyHidden>
              <span className={classes.words}>
                <span className={classes.name}>{workspace.name}</span>
                <Kind workspace={workspace} />
              </span>
              {elsewhere !== undefined && (
                <IconAlertTriangle size={16} className={classes.warn} role="img" aria-label={elsewhere} />
              )}
              <IconSelector size={16} stroke={1.6} aria-hidden />
            </>
          )}
        </UnstyledButton>
      }
    >
      {() => (
        <>
          <Menu.Label>{t("workspace.label")}</Menu.Label>
          {workspaces.map((entry, index) => (
            <Menu.Item
              key={entry.id}
              leftSection={<Mark workspace={entry} />}
              rightSection={
                <span className={classes.aside} aria-hidden>
                  {entry.id === workspace.id && <IconCheck size={16} />}
                  <WorkspaceKey index={index} />
                </span>
              }
              aria-current={entry.id === workspace.id}
              aria-keyshortcuts={keyShortcutOf(index)}
              onClick={() => entry.id !== workspace.id && goTo(entry.id)}
            >
              <span className={classes.words}>
                <span className={classes.name}>{entry.name}</span>
                <Kind workspace={entry} />
                {entry.id !== workspace.id && <Unread workspace={entry.id} />}
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => void navigate({ to: "/settings", search: { section: "workspace", workspace: "new" } })}
          >
            {t("workspace.add")}
          </Menu.Item>
        </>
      )}
    </MenuOnDemand>
  );
}

/** How many conversations of another workspace are unread; nothing if there are none. */
function Unread({ workspace }: { workspace: string }) {
  const { t } = useTranslation("shell");
  const unread = useQuery(queries.unread(workspace)).data?.contacts ?? 0;
  if (unread === 0) return null;
  return <span className={classes.unread}>{t("workspace.unread", { count: unread })}</span>;
}

/** What kind of workspace it is, or why it needs attention. */
function Kind({ workspace }: { workspace: WorkspaceSummary }) {
  const { t } = useTranslation("shell");
  const attention = useAttentionText()(workspace);
  const { level, text, sentence } = useConnectionHealth()(workspace);
  const { sandbox, hasCredentials } = workspace;
  const isBad = level === "bad" || level === "warning";
  if (sandbox || !hasCredentials || (attention !== undefined && !isBad)) {
    return (
      <span className={classes.kind} data-attention={attention !== undefined || undefined}>
        {attention ?? t(sandbox ? "workspace.sandbox" : "workspace.noCredentials")}
      </span>
    );
  }
  return (
    <Hint label={() => sentence} multiline maw="22rem">
      <span className={classes.kind} data-level={level}>
        {text}
        {isBad && <VisuallyHidden>. {sentence}</VisuallyHidden>}
      </span>
    </Hint>
  );
}

function Mark({ workspace }: { workspace: WorkspaceSummary }) {
  return (
    <span className={classes.mark} data-sandbox={workspace.sandbox || undefined} aria-hidden>
      {workspace.sandbox ? <IconFlask2 size={16} stroke={1.7} /> : ([...workspace.name.trim()][0] ?? "?").toUpperCase()}
    </span>
  );
}
