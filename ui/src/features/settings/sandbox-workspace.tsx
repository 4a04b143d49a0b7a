import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import styles from "@/components/styles.module.css";
import { useWabaText } from "@/lib/waba-names";
import { EndpointsSection } from "./endpoints-section";
import { SettingsPage } from "./settings-page";

/** The built-in sandbox: nothing to set up here, only to know. */
export function SandboxWorkspace({ workspace }: { workspace: Workspace }) {
  const { settings } = workspace;
  const { t } = useTranslation("settings");
  const wabaText = useWabaText(workspace.id);
  return (
    <SettingsPage>
      <Card title={settings.name} text={t("sandbox.text")}>
        <Facts>
          <dt>{t("numbers.title")}</dt>
          <dd>{settings.numbers.map(({ id, label }) => (label === "" ? id : `${label} (${id})`)).join(", ")}</dd>
          <dt>{t("wabas.title")}</dt>
          <dd>{settings.wabaIds.map(wabaText).join(", ")}</dd>
        </Facts>
        <details>
          <summary className={styles.muted}>{t("sandbox.developers")}</summary>
          <Facts>
            <dt>{t("field.baseUrl")}</dt>
            <dd>
              <code>{settings.baseUrl}</code>
              <CopyButton text={settings.baseUrl} label={t("sandbox.copyUrl")} />
            </dd>
            <dt>{t("field.channel")}</dt>
            <dd>{settings.channel}</dd>
            <dt>{t("field.workspaceUuid")}</dt>
            <dd>
              <code>{settings.workspaceUuid}</code>
            </dd>
          </Facts>
        </details>
        <div>
          <Button variant="default" renderRoot={(props) => <Link to="/phone" {...props} />}>
            {t("sandbox.toPhone")}
          </Button>
        </div>
      </Card>
      <EndpointsSection workspace={workspace} shown={[{ number: null, name: t("endpoints.all") }]} />
    </SettingsPage>
  );
}
