import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RefusedDetail } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { DetailPanel } from "@/components/panel";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { useDiagnosisText } from "./diagnosis";
import own from "./refused.module.css";

/** One refused delivery: what happened, why, and what to do. */
export function RefusedPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const refused = useQuery(queries.refusedDelivery(id));
  const gone = refused.error?.code === "notFound";
  return (
    <DetailPanel
      label={t("refused.label")}
      title={t("refused.label")}
      closeLabel={t("refused.close")}
      onClose={onClose}
    >
      {gone && <p className={classes.text}>{t("refused.gone")}</p>}
      {refused.error && !gone && <ErrorNotice error={refused.error} onRetry={() => void refused.refetch()} />}
      {refused.isPending && <Loading rows={4} />}
      {refused.data && <Detail detail={refused.data} />}
    </DetailPanel>
  );
}

function Detail({ detail }: { detail: RefusedDetail }) {
  const { t } = useTranslation("activity");
  const { row, method } = detail;
  const { workspaces } = useBootstrap();
  const { what, why, todo, secretOf } = useDiagnosisText()(row.diagnosis, row);
  const workspace = workspaces.find(({ id }) => id === row.workspace);
  const toSettings = workspaces.find(({ id }) => id === secretOf);
  return (
    <>
      <section className={own.diagnosis} aria-label={t("refused.diagnosis")}>
        <h3>{what}</h3>
        {why.length > 0 && (
          <>
            <h4 className={styles.label}>{t("refused.why")}</h4>
            {why.map((words) => (
              <p key={words}>{words}</p>
            ))}
          </>
        )}
        <h4 className={styles.label}>{t("refused.todo")}</h4>
        <p>{todo}</p>
        {toSettings && !toSettings.sandbox && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconKey size={14} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/settings" search={{ section: "workspace", workspace: toSettings.id }} {...props} />
            )}
          >
            {t("refused.toSettings", { name: toSettings.name })}
          </Button>
        )}
        {row.reason === "secretsUnread" && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconKey size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/settings" search={{ section: "secrets" }} {...props} />}
          >
            {t("refused.toSecrets")}
          </Button>
        )}
      </section>
      <Facts>
        <dt>{t("refused.at")}</dt>
        <dd>
          <Instant at={row.at} format="full" />
        </dd>
        <dt>{t("refused.answer")}</dt>
        <dd>
          {row.status} · <code>{row.reason}</code>
        </dd>
        <dt>{t("refused.request")}</dt>
        <dd>
          <code>
            {method} {row.path}
          </code>
        </dd>
        {workspace && (
          <>
            <dt>{t("refused.workspace")}</dt>
            <dd>{workspace.name}</dd>
          </>
        )}
      </Facts>
      <p className={classes.text}>
        <Link to="/settings" search={{ section: "support", refused: row.id }} className={classes.link}>
          {t("refused.details")}
        </Link>
      </p>
    </>
  );
}
