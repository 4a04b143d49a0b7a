import { Menu, Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconFlask2, IconPlus, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { WorkspaceSummary } from "@/bindings/app";
import { useBootstrap, usePreferences, useWorkspace } from "@/lib/desk";
import classes from "./workspace-switcher.module.css";

export function WorkspaceSwitcher({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation("shell");
  const { workspaces } = useBootstrap();
  const [, change] = usePreferences();
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const choose = (id: string) => {
    change({ workspace: id });
    // What is open belongs to the workspace before.
    void navigate({ to: "/" });
  };
  return (
    <Menu position={narrow ? "right-start" : "bottom-start"} width="16rem" shadow="md" withinPortal>
      <Menu.Target>
        <Tooltip label={workspace.name} position="right" disabled={!narrow}>
          <UnstyledButton
            className={classes.target}
            aria-label={narrow ? t("workspace.switch", { name: workspace.name }) : undefined}
          >
            <Mark workspace={workspace} />
            {!narrow && (
              <>
                <VisuallyHidden>{t("workspace.label")}</VisuallyHidden>
                <span className={classes.words}>
                  <span className={classes.name}>{workspace.name}</span>
                  <span className={classes.kind}>{t(kind(workspace))}</span>
                </span>
                <IconSelector size={16} stroke={1.6} aria-hidden />
              </>
            )}
          </UnstyledButton>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("workspace.label")}</Menu.Label>
        {workspaces.map((entry) => (
          <Menu.Item
            key={entry.id}
            leftSection={<Mark workspace={entry} />}
            rightSection={entry.id === workspace.id ? <IconCheck size={16} aria-hidden /> : null}
            aria-current={entry.id === workspace.id}
            onClick={() => choose(entry.id)}
          >
            <span className={classes.words}>
              <span className={classes.name}>{entry.name}</span>
              <span className={classes.kind}>{t(kind(entry))}</span>
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
      </Menu.Dropdown>
    </Menu>
  );
}

function kind({ sandbox, hasCredentials }: WorkspaceSummary) {
  if (sandbox) return "workspace.sandbox";
  return hasCredentials ? "workspace.ready" : "workspace.noCredentials";
}

function Mark({ workspace }: { workspace: WorkspaceSummary }) {
  return (
    <span className={classes.mark} data-sandbox={workspace.sandbox || undefined} aria-hidden>
      {workspace.sandbox ? <IconFlask2 size={16} stroke={1.7} /> : ([...workspace.name.trim()][0] ?? "?").toUpperCase()}
    </span>
  );
}
