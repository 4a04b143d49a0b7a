import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { KeyringNotice } from "./keyring-notice";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

/** The keyring, and where each secret is. */
export function SecretsSection() {
  const { t } = useTranslation("settings");
  const { keyring, workspaces } = useBootstrap();
  const found = useQueries({ queries: workspaces.map(({ id }) => queries.workspace(id)) });
  const failed = found.find(({ error }) => error);
  const own = found.flatMap(({ data }) => (data && !data.sandbox ? [data] : []));
  return (
    <SettingsPage>
      <Card title={t("keyring.heading")}>
        <KeyringNotice keyring={keyring} />
      </Card>
      <Card title={t("keyring.places")} text={t("keyring.placesText")}>
        {failed?.error && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />}
        {own.length === 0 && !failed && <p className={styles.muted}>{t("keyring.none")}</p>}
        {own.map((workspace) => (
          <Places key={workspace.id} workspace={workspace} />
        ))}
      </Card>
    </SettingsPage>
  );
}

function Places({ workspace: { id, settings, secrets } }: { workspace: Workspace }) {
  const { t } = useTranslation("settings");
  const nameOf = (number: string) => settings.numbers.find(({ id }) => id === number)?.label || number;
  // The kind of credentials that is not used would only be said to be absent.
  const used = secrets.filter(
    ({ kind, place }) =>
      place !== "absent" || kind !== (settings.credentialKind === "client" ? "token" : "clientSecret"),
  );
  return (
    <section className={classes.rows} aria-label={settings.name}>
      <h3 className={classes.subheading}>{settings.name}</h3>
      <Facts>
        {used.map(({ kind, number, place, reason }) => (
          <div key={`${kind} ${number ?? ""}`} className={classes.contents}>
            <dt>
              {number == null
                ? t(`secret.${kind}.label`)
                : t("secret.ofNumber", { secret: t(`secret.${kind}.label`), number: nameOf(number) })}
            </dt>
            <dd>
              <span>
                {t(`keyring.place.${place}`)}
                {reason ? ` (${reason})` : ""}
              </span>
            </dd>
          </div>
        ))}
      </Facts>
      <Link to="/settings" search={{ section: "workspace", workspace: id }} className={classes.link}>
        {t("keyring.toWorkspace", { name: settings.name })}
      </Link>
    </section>
  );
}
