import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowsDiff, IconFilter, IconMessageCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { EventDetail } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useEventStatusText, useKindText, useSubjectText } from "@/components/event-kinds";
import { useFactText } from "@/components/fact-text";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { DetailPanel } from "@/components/panel";
import styles from "@/components/styles.module.css";
import classes from "./activity.module.css";
import { useFilters } from "./event-filters";
import { type FilterName, route } from "./filter";
import { activityQueries } from "./queries";

/** One event: what it says, and where support finds the deliveries it came by. */
export function EventPanel({ event: id, onClose }: { event: string; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const event = useQuery(activityQueries.event(id));
  return (
    <DetailPanel
      label={t("event.label")}
      title={event.data ? kindText(event.data.row.kind) : t("event.label")}
      closeLabel={t("event.close")}
      onClose={onClose}
    >
      {event.error && <ErrorNotice error={event.error} onRetry={() => void event.refetch()} />}
      {event.isPending && <Loading rows={4} />}
      {event.data && <Detail event={event.data} />}
    </DetailPanel>
  );
}

function Detail({ event }: { event: EventDetail }) {
  const { t } = useTranslation("activity");
  const navigate = route.useNavigate();
  const { row, value, meaning } = event;
  const { contact } = row;
  return (
    <>
      {meaning && (
        <p>
          {t(`meaning.${meaning}`)} {row.revision?.ignored && t("event.changesNothing")}
        </p>
      )}
      <EventFacts event={event} />
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
          onClick={() => void navigate({ search: ({ event: _, ...rest }) => ({ ...rest, compare: row.id }) })}
        >
          {t("compare.start")}
        </Button>
        {row.kind === "message" && contact && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconMessageCircle size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/inbox" search={{ contact }} {...props} />}
          >
            {t("event.toConversation")}
          </Button>
        )}
      </div>
      <h3 className={classes.heading}>{t("event.value")}</h3>
      {value == null ? (
        <p className={styles.muted}>{t("event.valueGone")}</p>
      ) : (
        <JsonView text={value} label={t("event.value")} />
      )}
      <Arrivals event={event} />
    </>
  );
}

/** The deliveries of an event, each with the way to it in the support tools. */
function Arrivals({ event: { row, arrivals } }: { event: EventDetail }) {
  const { t } = useTranslation("activity");
  const more = row.deliveries - arrivals.length;
  return (
    <>
      <h3 className={classes.heading}>{t("event.support")}</h3>
      {row.deliveries > 1 && <p className={styles.muted}>{t("event.supportText")}</p>}
      <ol className={classes.arrivals}>
        {arrivals.map(({ seq, ordinal, receivedAt }) => (
          <li key={`${seq} ${ordinal}`}>
            <Instant at={receivedAt} format="full" />
            <Link to="/settings" search={{ section: "support", delivery: String(seq) }} className={classes.link}>
              {t("event.openDelivery", { seq })}
            </Link>
          </li>
        ))}
      </ol>
      {more > 0 && <p className={styles.muted}>{t("event.moreArrivals", { count: more })}</p>}
    </>
  );
}

function EventFacts({ event: { row, facts } }: { event: EventDetail }) {
  const { t } = useTranslation("activity");
  const status = useEventStatusText();
  const subject = useSubjectText()(row);
  const factText = useFactText();
  return (
    <Facts>
      {facts.map((fact, index) => {
        const { label, value } = factText(fact);
        return (
          <Fragment key={index}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        );
      })}
      <dt>{t("event.received")}</dt>
      <dd>
        <Instant at={row.receivedAt} format="full" />
      </dd>
      {row.contact ? (
        <Filterable name="contact" value={row.contact} />
      ) : row.template ? null : (
        <>
          <dt>{t("event.subject")}</dt>
          <dd>{subject === row.subject ? subject || "—" : `${subject} (${row.subject})`}</dd>
        </>
      )}
      {row.template && <Filterable name="template" value={row.template} />}
      {row.ofTemplate?.reference != null && (
        <>
          <dt>{t("event.template")}</dt>
          <dd>
            <Link to="/templates/$reference" params={{ reference: row.ofTemplate.reference }} className={classes.link}>
              {row.ofTemplate.name}
            </Link>
          </dd>
        </>
      )}
      {row.status && <Filterable name="status" value={row.status} text={status(row.status)} />}
      {row.number && <Filterable name="number" value={row.number} />}
      <dt>{t("event.field")}</dt>
      <dd>
        <code>{row.field || "—"}</code>
      </dd>
      <dt>{t("event.deliveries")}</dt>
      <dd>{row.deliveries > 1 ? t("deliveredTimes", { count: row.deliveries }) : t("deliveredOnce")}</dd>
    </Facts>
  );
}

/** A fact by which the list can be narrowed. */
function Filterable({ name, value, text = value }: { name: FilterName; value: string; text?: string }) {
  const { t } = useTranslation("activity");
  const { change } = useFilters();
  const label = t("filter.only", { name: t(`filter.${name}`), value: text });
  return (
    <>
      <dt>{t(`filter.${name}`)}</dt>
      <dd>
        {text}
        <Tooltip label={label}>
          <ActionIcon size="sm" aria-label={label} onClick={() => change({ [name]: value })}>
            <IconFilter size={14} />
          </ActionIcon>
        </Tooltip>
      </dd>
    </>
  );
}
