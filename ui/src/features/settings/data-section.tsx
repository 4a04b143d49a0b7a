import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { Facts } from "@/components/facts";
import { useBootstrap } from "@/lib/desk";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

const FILES = [
  ["desk.sqlite", "work"],
  ["inbox.sqlite", "webhooks"],
  ["cache.sqlite", "cache"],
  ["media", "media"],
  ["logs", "logs"],
] as const;

const LEAVES = ["provider", "media", "feeds", "updates", "forward", "links", "nothing"] as const;
const NEVER = ["secrets", "logs", "rejected", "files"] as const;

/** Where data is stored, what leaves the computer and what is never stored. */
export function DataSection() {
  const { t } = useTranslation("settings");
  const { dataFolder } = useBootstrap();
  return (
    <SettingsPage>
      <Card title={t("data.stored.title")} text={t("data.stored.text")}>
        <Facts>
          <dt>{t("data.stored.folder")}</dt>
          <dd>
            <code>{dataFolder}</code>
            <CopyButton text={dataFolder} label={t("about.copyFolder")} />
          </dd>
          {FILES.map(([file, text]) => (
            <Fact key={file} file={file} text={t(`data.stored.${text}`)} />
          ))}
          <dt>{t("data.stored.keyring")}</dt>
          <dd>{t("data.stored.secrets")}</dd>
        </Facts>
        <div className={classes.buttons}>
          <Link to="/settings" search={{ section: "storage" }} className={classes.link}>
            {t("data.stored.toStorage")}
          </Link>
          <Link to="/settings" search={{ section: "secrets" }} className={classes.link}>
            {t("about.toSecrets")}
          </Link>
        </div>
      </Card>
      <Card title={t("data.leaves.title")}>
        <ul className={classes.points}>
          {LEAVES.map((name) => (
            <li key={name}>{t(`data.leaves.${name}`)}</li>
          ))}
        </ul>
      </Card>
      <Card title={t("data.never.title")}>
        <ul className={classes.points}>
          {NEVER.map((name) => (
            <li key={name}>{t(`data.never.${name}`)}</li>
          ))}
        </ul>
      </Card>
    </SettingsPage>
  );
}

function Fact({ file, text }: { file: string; text: string }) {
  return (
    <>
      <dt>
        <code>{file}</code>
      </dt>
      <dd>{text}</dd>
    </>
  );
}
