import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { Items } from "./event-panel";
import { Headers } from "./headers";
import { Panel } from "./panel";
import { Raw } from "./raw";
import { Signature } from "./signature";

/** One delivery, reached by its place in the inbox: as from a check of signatures. */
export function DeliveryPanel({ seq, onClose }: { seq: number; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const delivery = useQuery(queries.delivery(seq));
  const { data } = delivery;
  return (
    <Panel
      label={t("delivery.label")}
      title={t("delivery.title", { seq })}
      closeLabel={t("delivery.close")}
      onClose={onClose}
    >
      {delivery.error && (
        <ErrorNotice
          error={delivery.error}
          onRetry={delivery.error.code === "notFound" ? undefined : () => void delivery.refetch()}
        />
      )}
      {delivery.isPending && <Loading rows={4} />}
      {data && (
        <>
          <Facts>
            <dt>{t("event.received")}</dt>
            <dd>
              <Instant at={data.receivedAt} format="full" />
            </dd>
            <dt>{t("event.signature")}</dt>
            <dd>
              <Signature verdict={data.signature} />
            </dd>
          </Facts>
          <Items delivery={data} />
          <h3 className={classes.heading}>{t("event.raw")}</h3>
          <Raw text={data.raw} base64={data.rawBase64} label={t("event.raw")} />
          <h3 className={classes.heading}>{t("event.headers")}</h3>
          <Headers headers={data.headers} />
        </>
      )}
    </Panel>
  );
}
