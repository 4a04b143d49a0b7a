import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

export function AboutSection() {
  const { t } = useTranslation("settings");
  const { version, dataFolder, logFolder, keyring } = useBootstrap();
  return (
    <SettingsPage>
      <Card title="Template Desk">
        <Facts>
          <dt>{t("about.version")}</dt>
          <dd>{version}</dd>
          <dt>{t("about.dataFolder")}</dt>
          <dd>
            <code>{dataFolder}</code>
            <CopyButton text={dataFolder} label={t("about.copyFolder")} />
          </dd>
          <dt>{t("about.logFolder")}</dt>
          <dd>
            <code>{logFolder}</code>
            <CopyButton text={logFolder} label={t("about.copyLogFolder")} />
          </dd>
          <dt>{t("about.keyring")}</dt>
          <dd>
            {t(`keyring.state.${keyring.state}.what`)}
            <Link to="/settings" search={{ section: "secrets" }} className={classes.link}>
              {t("about.toSecrets")}
            </Link>
          </dd>
        </Facts>
        <p className={styles.muted}>{t("about.text")}</p>
      </Card>
    </SettingsPage>
  );
}
