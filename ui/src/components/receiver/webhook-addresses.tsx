import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { publicUrl } from "@/lib/public-url";
import classes from "./receiver.module.css";

/** The address to enter at the provider, for each workspace. */
export function WebhookAddresses() {
  const { t } = useTranslation("settings");
  const { workspaces } = useBootstrap();
  const found = useQueries({ queries: workspaces.map((workspace) => queries.workspace(workspace.id)) });
  const failed = found.find(({ error }) => error)?.error;
  const own = found.flatMap(({ data }) => (data && !data.sandbox ? [data] : []));
  return (
    <Card title={t("webhooks.title")} text={t("webhooks.text")}>
      {failed && <ErrorNotice error={failed} />}
      <ul className={classes.urls}>
        {own.map((workspace) => (
          <li key={workspace.id}>
            <span className={classes.name}>{workspace.settings.name}</span>
            <WebhookUrl workspace={workspace} />
          </li>
        ))}
        {workspaces.some(({ sandbox }) => sandbox) && (
          <li>
            <span className={classes.name}>Sandbox</span>
            <span className={styles.muted}>{t("webhooks.sandbox")}</span>
          </li>
        )}
      </ul>
      {own.length === 0 && !failed && <p className={styles.muted}>{t("webhooks.none")}</p>}
    </Card>
  );
}

/** The addresses of a workspace to be copied, the public one first; says so where the receiver has none now. */
function WebhookUrl({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("settings");
  const { receiver, preferences } = useBootstrap();
  if (receiver.state !== "listening") {
    return (
      <span className={classes.url}>
        <code>{workspace.webhookPath}</code>
        <span className={styles.muted}>{t("webhooks.notListening")}</span>
      </span>
    );
  }
  const { name } = workspace.settings;
  const local = `http://${receiver.address}${workspace.webhookPath}`;
  const entered = preferences.publicAddress.trim() !== "";
  const url = entered ? publicUrl(preferences.publicAddress, workspace.webhookPath) : undefined;
  return (
    <>
      {url !== undefined && (
        <span className={classes.url}>
          <code>{url}</code>
          <CopyButton text={url} label={t("webhooks.copyPublic", { name })} />
          <span className={styles.muted}>{t("webhooks.public")}</span>
        </span>
      )}
      <span className={classes.url}>
        <code>{local}</code>
        <CopyButton text={local} label={t("webhooks.copy", { name })} />
        <span className={styles.muted}>{t("webhooks.local")}</span>
      </span>
      {url === undefined && (
        <span className={styles.muted}>
          {t("webhooks.noPublic")}{" "}
          <Link to="/settings" search={{ section: "workspace", workspace: workspace.id }}>
            {t("webhooks.toPublic")}
          </Link>
        </span>
      )}
    </>
  );
}
