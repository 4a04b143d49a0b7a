import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SecretPlace } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { NewWorkspace } from "./new-workspace";
import { SandboxWorkspace } from "./sandbox-workspace";
import classes from "./settings.module.css";
import { StoredWorkspaceForm } from "./workspace-form";

/** The workspaces, and the form of the one chosen; the one in use where none is. */
export function WorkspacesSection() {
  const { t } = useTranslation("settings");
  const { workspaces } = useBootstrap();
  const current = useWorkspace();
  const { workspace: asked } = useSearch({ from: "/settings" });
  const open = asked === "new" ? "new" : (workspaces.find(({ id }) => id === asked)?.id ?? current.id);
  return (
    <>
      <nav className={classes.workspaces} aria-label={t("workspaces.list")}>
        {workspaces.map(({ id, name, sandbox, hasCredentials, credentials }) => (
          <Link
            key={id}
            to="/settings"
            search={{ section: "workspace", workspace: id }}
            className={classes.workspace}
            data-open={id === open || undefined}
          >
            <span className={styles.truncate}>{name}</span>
            <span className={`${styles.truncate} ${classes.kind}`}>
              {t(sandbox ? "workspaces.sandbox" : credentialsText(hasCredentials, credentials))}
            </span>
          </Link>
        ))}
        <Button
          variant={open === "new" ? "light" : "default"}
          h="auto"
          leftSection={<IconPlus size={15} aria-hidden />}
          renderRoot={(props) => <Link to="/settings" search={{ section: "workspace", workspace: "new" }} {...props} />}
        >
          {t("workspaces.add")}
        </Button>
      </nav>
      {open === "new" ? <NewWorkspace key="new" /> : <StoredWorkspace key={open} id={open} />}
    </>
  );
}

/** What the list says of the credentials of a workspace. */
function credentialsText(atHand: boolean, place: SecretPlace) {
  if (place === "locked" || place === "unreadable") return `workspaces.${place}` as const;
  if (place === "session") return "workspaces.session";
  return atHand ? "workspaces.ready" : "workspaces.noCredentials";
}

function StoredWorkspace({ id }: { id: string }) {
  const workspace = useQuery(queries.workspace(id));
  if (workspace.data?.sandbox) return <SandboxWorkspace workspace={workspace.data} />;
  if (workspace.data) return <StoredWorkspaceForm workspace={workspace.data} />;
  if (workspace.error) {
    return (
      <div style={{ paddingTop: "1rem" }}>
        <ErrorNotice error={workspace.error} onRetry={() => void workspace.refetch()} />
      </div>
    );
  }
  return <Loading />;
}
