import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import { useBootstrap } from "@/lib/desk";
import classes from "./settings.module.css";

export function AboutSection() {
  const { t } = useTranslation("settings");
  const { version, dataFolder, keyring } = useBootstrap();
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        <section className={classes.card}>
          <h2>Template Desk</h2>
          <Facts>
            <dt>{t("about.version")}</dt>
            <dd>{version}</dd>
            <dt>{t("about.dataFolder")}</dt>
            <dd>
              <code>{dataFolder}</code>
              <CopyButton text={dataFolder} label={t("about.copyFolder")} />
            </dd>
            <dt>{t("about.keyring")}</dt>
            <dd>
              {t(`keyring.state.${keyring.state}.what`)}
              <Link to="/settings" search={{ section: "secrets" }} className={classes.link}>
                {t("about.toSecrets")}
              </Link>
            </dd>
          </Facts>
          <p className={classes.text}>{t("about.text")}</p>
        </section>
      </div>
    </div>
  );
}
