import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { CurlView } from "@/components/curl-view";
import styles from "@/components/styles.module.css";
import { useBootstrap, usePreferences } from "@/lib/desk";
import { publicUrl } from "@/lib/public-url";
import { EndpointGroup, KnownEndpoint } from "./endpoints-section";
import { useNumberEndpoints } from "./number-endpoints";
import { PublicAddressField } from "./public-address-field";
import { settingsQueries } from "./queries";
import { SecretField } from "./secret-field";
import classes from "./settings.module.css";
import type { WorkspaceFormState } from "./use-workspace-form";

const WAYS = ["tunnel", "proxy", "server"] as const;
type Way = (typeof WAYS)[number];

interface WebhookStepProps {
  form: WorkspaceFormState;
  workspace: Workspace;
}

/** How webhooks come in: the secret, a public address, and a try. */
export function WebhookStep({ form, workspace }: WebhookStepProps) {
  const { t } = useTranslation("settings");
  const { receiver } = useBootstrap();
  const [way, setWay] = useState<Way>("tunnel");
  const [{ publicAddress: stored }] = usePreferences();
  const [publicAddress, setPublicAddress] = useState(stored);
  const local = receiver.state === "listening" ? receiver.address : "127.0.0.1:8787";
  const path = workspace.webhookPath;
  const url = publicUrl(publicAddress, path);
  const numbers = useNumberEndpoints(form);
  const endpoints = useQuery({ ...settingsQueries.endpoints(workspace.id), enabled: numbers.length > 0 });
  return (
    <>
      <section className={classes.rows} aria-label={t("connect.reach.title")}>
        <h3 className={classes.subheading}>{t("connect.reach.title")}</h3>
        <p className={styles.muted}>{t("connect.reach.text")}</p>
        <div>
          <SegmentedControl
            aria-label={t("connect.reach.title")}
            value={way}
            onChange={(value) => setWay(WAYS.find((known) => known === value) ?? "tunnel")}
            data={WAYS.map((value) => ({ value, label: t(`connect.reach.${value}.label`) }))}
          />
        </div>
        <p className={styles.muted}>{t(`connect.reach.${way}.text`)}</p>
        <CurlView
          text={COMMANDS[way](local, path)}
          label={t(`connect.reach.${way}.label`)}
          copyLabel={t("connect.reach.copy")}
        />
      </section>
      {way !== "server" && (
        <>
          <PublicAddressField onChange={setPublicAddress} />
          {url !== undefined && (
            <p className={classes.rows}>
              <span className={classes.rowLabel}>{t("connect.reach.enter")}</span>
              <span className={classes.path}>
                <code>{url}</code>
                <CopyButton text={url} label={t("webhooks.copy", { name: workspace.settings.name })} />
              </span>
            </p>
          )}
        </>
      )}
      {(["webhookSecret", "verifyToken"] as const).map((kind) => (
        <SecretField
          key={kind}
          kind={kind}
          place={form.storedAt(kind)}
          draft={form.draft.secrets[kind]}
          error={form.errorOf(kind)}
          onChange={form.setSecret(kind)}
        />
      ))}
      {numbers.map(({ number, name, fields }) => {
        const known = endpoints.data?.find((endpoint) => endpoint.number === number);
        return (
          <EndpointGroup key={number} name={name}>
            {known && <KnownEndpoint workspace={workspace} endpoint={known} name={name} />}
            {fields}
          </EndpointGroup>
        );
      })}
    </>
  );
}

/** What is entered in a terminal or a configuration, for each way to be reachable. */
const COMMANDS: Record<Way, (local: string, path: string) => string> = {
  tunnel: (local) => `cloudflared tunnel --url http://${local}`,
  proxy: (local) =>
    [
      "location /webhook {",
      `    proxy_pass http://${local};`,
      "    proxy_set_header Host $host;",
      "    proxy_http_version 1.1;",
      "    client_max_body_size 4m;",
      "    proxy_read_timeout 15s;",
      "}",
    ].join("\n"),
  server: (_, path) =>
    [
      "WEBHOOK_SECRET=… tdesk receive --database inbox.sqlite \\",
      `  --secret-env WEBHOOK_SECRET --allow-host hooks.example.com --path ${path}`,
    ].join("\n"),
};
