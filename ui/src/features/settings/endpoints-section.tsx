import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Endpoint, TestEventReport, Workspace } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { usePreferences } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { publicUrl } from "@/lib/public-url";
import { PublicAddressField } from "./public-address-field";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";

interface EndpointsSectionProps {
  /** Absent while it is not stored: then nothing is known of its endpoints. */
  workspace: Workspace | undefined;
  /** What is shown: that of the workspace, then those of numbers with one of their own. */
  shown: readonly { number: string | null; name: string; fields?: ReactNode }[];
}

/** The webhook endpoints: the address to enter at the provider, and the health of each. */
export function EndpointsSection({ workspace, shown }: EndpointsSectionProps) {
  const { t } = useTranslation("settings");
  const endpoints = useQuery({ ...settingsQueries.endpoints(workspace?.id ?? ""), enabled: workspace !== undefined });
  return (
    <Card title={t("endpoints.title")}>
      {!workspace?.sandbox && (
        <>
          <p className={styles.muted}>{t("endpoints.text")}</p>
          <ol className={classes.points}>
            {(["url", "secret", "verify", "numbers"] as const).map((step) => (
              <li key={step}>{t(`endpoints.enter.${step}`)}</li>
            ))}
          </ol>
          <PublicAddressField />
        </>
      )}
      {endpoints.error && <ErrorNotice error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {shown.map(({ number, name, fields }, index) => {
        const known = endpoints.data?.find((endpoint) => (endpoint.number ?? null) === number);
        return (
          <EndpointGroup key={number ?? index} name={name}>
            {workspace && known ? (
              <KnownEndpoint workspace={workspace} endpoint={known} name={name} />
            ) : (
              <p className={styles.muted}>
                {workspace && endpoints.isPending ? t("loading", { ns: "common" }) : t("webhooks.afterSaving")}
              </p>
            )}
            {fields}
          </EndpointGroup>
        );
      })}
    </Card>
  );
}

/** An endpoint under its name. */
export function EndpointGroup({ name, children }: { name: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.endpoint} aria-labelledby={id}>
      <h3 id={id} className={classes.subheading}>
        {name}
      </h3>
      {children}
    </section>
  );
}

/** An endpoint that is stored: its address, how it does, and a try. */
export function KnownEndpoint({
  workspace,
  endpoint,
  name,
}: {
  workspace: Workspace;
  endpoint: Endpoint;
  name: string;
}) {
  const { t } = useTranslation("settings");
  const test = useCommand("send_test_event");
  const [{ publicAddress }] = usePreferences();
  const known = workspace.sandbox || publicAddress === "" ? undefined : publicUrl(publicAddress, endpoint.path);
  const address = known ?? (endpoint.url === "" ? endpoint.path : endpoint.url);
  return (
    <>
      <span className={classes.path}>
        <code>{address}</code>
        <CopyButton text={address} label={t("webhooks.copy", { name })} />
      </span>
      <Health endpoint={endpoint} />
      <div>
        <Button
          variant="default"
          leftSection={<IconSend size={15} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate({ workspace: workspace.id, number: endpoint.number ?? null })}
        >
          {t("endpoints.test")}
        </Button>
      </div>
      {test.data && <Report report={test.data} />}
      {test.error && (
        <ErrorNotice error={test.error} offersSettings={false} fieldLabel={t("secret.webhookSecret.label")} />
      )}
    </>
  );
}

const LOOKS = {
  ok: { Icon: IconCircleCheck, look: classes.good },
  silent: { Icon: IconCircleDashed, look: classes.quiet },
  refusing: { Icon: IconCircleX, look: classes.bad },
  noSecret: { Icon: IconAlertTriangle, look: classes.bad },
  notListening: { Icon: IconCircleX, look: classes.bad },
} as const;

function Health({ endpoint }: { endpoint: Endpoint }) {
  const { t, i18n } = useTranslation("settings");
  const { health, events, refused, lastEventAt, lastRefused } = endpoint;
  const { Icon, look } = LOOKS[health];
  const number = new Intl.NumberFormat(i18n.language);
  const known = lastRefused && i18n.exists(`reason.${lastRefused.reason}.why`, { ns: "activity" });
  return (
    <div className={classes.rows}>
      <p className={classes.stepLine} role="status">
        <Icon size={18} className={look} aria-hidden />
        {t(`endpoints.health.${health}`)}
      </p>
      <p className={styles.muted}>
        {lastEventAt == null ? (
          t("endpoints.never")
        ) : (
          <>
            {t("endpoints.last")} <Instant at={lastEventAt} format="moment" />
          </>
        )}
        {" · "}
        {t("endpoints.counts", { events: number.format(events), refused: number.format(refused) })}
      </p>
      {lastRefused && (
        <p className={styles.muted}>
          {t("endpoints.refused")} <Instant at={lastRefused.at} format="moment" />:{" "}
          {known
            ? t(`reason.${lastRefused.reason}.why` as "reason.hostNotAllowed.why", { ns: "activity" })
            : lastRefused.reason}{" "}
          <Link to="/activity" search={{ view: "refused" }} className={classes.link}>
            {t("endpoints.toRefused")}
          </Link>
        </p>
      )}
      <SecretUse use={endpoint.secretUse} />
      {health === "notListening" && (
        <Link to="/settings" search={{ section: "receiver" }} className={classes.link}>
          {t("endpoints.toReceiver")}
        </Link>
      )}
    </div>
  );
}

/** Which of the two secrets your provider signs with, while there are two. */
function SecretUse({ use: { currentAt, previousAt, previousUntil } }: { use: Endpoint["secretUse"] }) {
  const { t } = useTranslation("settings");
  if (previousUntil == null) return null;
  return (
    <>
      <p className={styles.muted}>
        {currentAt == null ? (
          t("endpoints.secrets.newUnused")
        ) : (
          <>
            {t("endpoints.secrets.newUsed")} <Instant at={currentAt} format="moment" />.
          </>
        )}{" "}
        {previousAt == null ? (
          t("endpoints.secrets.previousUnused")
        ) : (
          <>
            {t("endpoints.secrets.previousUsed")} <Instant at={previousAt} format="moment" />.
          </>
        )}
      </p>
      <p className={styles.muted}>
        {t("endpoints.secrets.until")} <Instant at={previousUntil} format="moment" />.
      </p>
    </>
  );
}

function Report({ report }: { report: TestEventReport }) {
  const { t, i18n } = useTranslation("settings");
  const took = new Intl.NumberFormat(i18n.language, { style: "unit", unit: "millisecond" }).format(report.tookMs);
  if (report.error) return <ErrorNotice error={report.error} offersSettings={false} />;
  return (
    <p className={classes.stepLine} role="status">
      <IconCircleCheck size={18} className={classes.good} aria-hidden />
      <span>
        {t(report.stored ? "endpoints.stored" : "endpoints.answered", { took, status: report.status ?? "" })}{" "}
        {report.stored && (
          <Link to="/activity" className={classes.link}>
            {t("endpoints.toActivity")}
          </Link>
        )}
      </span>
    </p>
  );
}
