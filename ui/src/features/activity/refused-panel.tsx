import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RefusedDetail } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { byteSize } from "@/lib/bytes";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { curlOf } from "./curl";
import { useDiagnosisText } from "./diagnosis";
import { Headers } from "./headers";
import { Panel } from "./panel";
import { Raw } from "./raw";
import own from "./refused.module.css";

/** One refused delivery: what happened, why, what to do, and everything that was kept of it. */
export function RefusedPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const refused = useQuery(queries.refusedDelivery(id));
  const gone = refused.error?.code === "notFound";
  return (
    <Panel label={t("refused.label")} title={t("refused.label")} closeLabel={t("refused.close")} onClose={onClose}>
      {gone && <p className={classes.text}>{t("refused.gone")}</p>}
      {refused.error && !gone && <ErrorNotice error={refused.error} onRetry={() => void refused.refetch()} />}
      {refused.isPending && <Loading rows={4} />}
      {refused.data && <Detail detail={refused.data} />}
    </Panel>
  );
}

function Detail({ detail }: { detail: RefusedDetail }) {
  const { t, i18n } = useTranslation("activity");
  const { row, method, host, peer, headers, body, bodyBase64, kept } = detail;
  const { receiver, workspaces } = useBootstrap();
  const { what, why, todo, secretOf } = useDiagnosisText()(row.diagnosis, row);
  const workspace = workspaces.find(({ id }) => id === row.workspace);
  const toSettings = workspaces.find(({ id }) => id === secretOf);
  const curl = receiver.state === "listening" ? curlOf(detail, receiver.address) : undefined;
  return (
    <>
      <section className={own.diagnosis} aria-label={t("refused.diagnosis")}>
        <h3>{what}</h3>
        {why.length > 0 && (
          <>
            <h4>{t("refused.why")}</h4>
            {why.map((words) => (
              <p key={words}>{words}</p>
            ))}
          </>
        )}
        <h4>{t("refused.todo")}</h4>
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
        <dt>{t("refused.host")}</dt>
        <dd>{host ? <code>{host}</code> : t("refused.noHost")}</dd>
        <dt>{t("refused.peer")}</dt>
        <dd>
          <code>{peer}</code>
        </dd>
        <dt>{t("refused.size")}</dt>
        <dd>
          {kept < row.size
            ? t("refused.keptPart", { kept: byteSize(kept, i18n.language), size: byteSize(row.size, i18n.language) })
            : t("raw.size", { count: row.size })}
        </dd>
        {curl && (
          <>
            <dt>curl</dt>
            <dd>
              {t("refused.curl")}
              <CopyButton text={curl} label={t("refused.copyCurl")} />
            </dd>
          </>
        )}
      </Facts>
      <h3 className={classes.heading}>{t("event.headers")}</h3>
      <Headers headers={headers} />
      <h3 className={classes.heading}>{t("refused.body")}</h3>
      {kept === 0 ? (
        <p className={classes.text}>{t(row.size === 0 ? "refused.noBody" : "refused.bodyNotKept")}</p>
      ) : (
        <Raw text={body} base64={bodyBase64} label={t("refused.body")} />
      )}
    </>
  );
}
