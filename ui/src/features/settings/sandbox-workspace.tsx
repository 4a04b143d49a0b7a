import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import { EndpointsSection } from "./endpoints-section";
import classes from "./settings.module.css";

/** The built-in sandbox: nothing to set up here, only to know. */
export function SandboxWorkspace({ workspace }: { workspace: Workspace }) {
  const { settings } = workspace;
  const { t } = useTranslation("settings");
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        <section className={classes.card} aria-labelledby="sandbox-workspace">
          <h2 id="sandbox-workspace">{settings.name}</h2>
          <p className={classes.text}>{t("sandbox.text")}</p>
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
            <dt>{t("numbers.title")}</dt>
            <dd>{settings.numbers.map(({ id, label }) => (label === "" ? id : `${label} (${id})`)).join(", ")}</dd>
            <dt>{t("wabas.title")}</dt>
            <dd>{settings.wabaIds.join(", ")}</dd>
          </Facts>
          <div>
            <Button variant="default" renderRoot={(props) => <Link to="/phone" {...props} />}>
              {t("sandbox.toPhone")}
            </Button>
          </div>
        </section>
        <EndpointsSection workspace={workspace} shown={[{ number: null, name: t("endpoints.all") }]} />
      </div>
    </div>
  );
}
