import { Badge } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { RefusedDelivery } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { useBootstrap } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";

/** Why deliveries were refused, and what to do about each reason. */
export function RefusedDeliveries() {
  const { t } = useTranslation("activity");
  const id = useId();
  const refused = useQuery(queries.refusedDeliveries());
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{t("refused.title")}</h2>
      <p className={classes.text}>{t("refused.text")}</p>
      {refused.error && <ErrorNotice error={refused.error} onRetry={() => void refused.refetch()} />}
      {refused.isPending && <Loading rows={3} />}
      {refused.data?.length === 0 && (
        <Empty Icon={IconShieldCheck} title={t("refused.none")} text={t("refused.noneText")} />
      )}
      {refused.data !== undefined && refused.data.length > 0 && (
        <ul className={classes.refused}>
          {refused.data.map((delivery, place) => (
            <li key={`${delivery.at} ${place}`}>
              <Refusal delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const SECRET_REASONS = new Set(["noSecret", "mismatch", "verifyTokenMismatch", "noVerifyToken"]);

function Refusal({ delivery }: { delivery: RefusedDelivery }) {
  const { t, i18n } = useTranslation("activity");
  const { workspaces } = useBootstrap();
  const workspace = workspaces.find(({ id }) => id === delivery.workspace);
  const known = i18n.exists(`reason.${delivery.reason}.why`, { ns: "activity" });
  const reason = (known ? delivery.reason : "other") as "mismatch";
  return (
    <>
      <div className={classes.refusalHead}>
        <span className={classes.why}>{t(`reason.${reason}.why`, { reason: delivery.reason })}</span>
        <Badge variant="light" color={delivery.status >= 500 ? "orange" : "red"} size="sm">
          {delivery.status}
        </Badge>
        <span className={classes.time}>
          <Instant at={delivery.at} format="moment" />
        </span>
      </div>
      <p className={classes.text}>{t(`reason.${reason}.todo`)}</p>
      <p className={classes.where}>
        <code>{delivery.path}</code>
        {workspace && <span>{workspace.name}</span>}
        <span>{t("raw.size", { count: delivery.size })}</span>
        {workspace && !workspace.sandbox && SECRET_REASONS.has(delivery.reason) && (
          <Link to="/settings" search={{ section: "workspace", workspace: workspace.id }}>
            {t("refused.toSettings", { name: workspace.name })}
          </Link>
        )}
      </p>
      {delivery.excerpt !== "" && (
        <details className={classes.excerpt}>
          <summary>{t("refused.excerpt")}</summary>
          <pre>{delivery.excerpt}</pre>
        </details>
      )}
    </>
  );
}
