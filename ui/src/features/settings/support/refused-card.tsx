import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RefusedDetail } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import shared from "../settings.module.css";
import { curlOf } from "./curl";
import { Headers } from "./headers";
import { Raw } from "./raw";
import classes from "./support.module.css";

/** A rejected delivery, byte for byte. What was wrong with it is in Activity. */
export function RefusedCard({ id }: { id: string }) {
  const { t } = useTranslation("support");
  const refused = useQuery(queries.refusedDelivery(id));
  const gone = refused.error?.code === "notFound";
  return (
    <Card title={t("refused.title")}>
      {gone && <p className={styles.muted}>{t("refused.gone")}</p>}
      {refused.error && !gone && <ErrorNotice error={refused.error} onRetry={() => void refused.refetch()} />}
      {refused.isPending && <Loading rows={4} />}
      {refused.data && <Detail detail={refused.data} />}
    </Card>
  );
}

function Detail({ detail }: { detail: RefusedDetail }) {
  const { t, i18n } = useTranslation("support");
  const { row, method, host, peer, headers, body, bodyBase64, kept } = detail;
  const { receiver } = useBootstrap();
  const curl = receiver.state === "listening" ? curlOf(detail, receiver.address) : undefined;
  return (
    <>
      <Facts>
        <dt>{t("refused.request")}</dt>
        <dd>
          <code>
            {method} {row.path}
          </code>
        </dd>
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
      <h3 className={classes.heading}>{t("delivery.headers")}</h3>
      <Headers headers={headers} />
      <h3 className={classes.heading}>{t("refused.body")}</h3>
      {kept === 0 ? (
        <p className={styles.muted}>{t(row.size === 0 ? "refused.noBody" : "refused.bodyNotKept")}</p>
      ) : (
        <Raw text={body} base64={bodyBase64} label={t("refused.body")} />
      )}
      <div className={shared.buttons}>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/activity" search={{ view: "refused", refused: row.id }} {...props} />}
        >
          {t("refused.diagnosis")}
        </Button>
      </div>
    </>
  );
}
