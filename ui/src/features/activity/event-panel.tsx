import { ActionIcon, Button, Tabs, Text, Tooltip } from "@mantine/core";
import { IconArrowsDiff, IconFilter, IconPlayerTrackNext, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeliveryDetail, EventDetail } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { useFilters } from "./event-filters";
import { type FilterName, route } from "./filter";
import { useForwardStored } from "./forward-form";
import { Headers } from "./headers";
import { useKindText, useSummaryText } from "./kinds";
import { Panel } from "./panel";
import { Raw } from "./raw";
import { useReplayOne } from "./replay-form";
import { Signature } from "./signature";

/** One event: what it says, and every delivery it came by. */
export function EventPanel({ event: id, onClose }: { event: string; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const event = useQuery(queries.event(id));
  const { tab } = route.useSearch();
  return (
    <Panel
      label={t("event.label")}
      title={event.data ? kindText(event.data.row.kind) : t("event.label")}
      closeLabel={t("event.close")}
      wide={tab === "both"}
      onClose={onClose}
    >
      {event.error && <ErrorNotice error={event.error} onRetry={() => void event.refetch()} />}
      {event.isPending && <Loading rows={4} />}
      {event.data && <Detail event={event.data} />}
    </Panel>
  );
}

const TABS = ["value", "raw", "both", "headers", "deliveries"] as const;

function Detail({ event }: { event: EventDetail }) {
  const { t } = useTranslation("activity");
  const { row, value, arrivals } = event;
  const { tab: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const [seq, setSeq] = useState(row.seq);
  const delivery = useQuery(queries.delivery(seq));
  const gone = delivery.error?.code === "notFound";
  const tab = TABS.find((name) => name === asked) ?? "value";
  const decoded =
    value == null ? (
      <p className={classes.text}>{t("event.valueGone")}</p>
    ) : (
      <JsonView text={value} label={t("event.value")} {...(tab === "both" ? { maxHeight: "60vh" } : {})} />
    );
  const raw = (
    <Delivered delivery={delivery.data} gone={gone} error={delivery.error} onRetry={() => void delivery.refetch()}>
      {(data) => <Raw key={data.seq} text={data.raw} base64={data.rawBase64} label={t("event.raw")} />}
    </Delivered>
  );
  return (
    <>
      {event.meaning && (
        <Text inherit my="1em">
          {t(`meaning.${event.meaning}`)}
        </Text>
      )}
      <EventFacts event={event} delivery={delivery.data} gone={gone} />
      <Actions event={event} seq={seq} gone={gone} />
      {seq !== row.seq && (
        <p className={classes.note} role="status">
          {t("event.otherDelivery", { seq })}{" "}
          <Button size="compact-xs" variant="default" onClick={() => setSeq(row.seq)}>
            {t("event.toFirst")}
          </Button>
        </p>
      )}
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({
            search: ({ tab: _, ...rest }) => (next === null || next === "value" ? rest : { ...rest, tab: next }),
            replace: true,
          })
        }
        className={classes.tabs}
      >
        <Tabs.List aria-label={t("event.views")}>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name === "deliveries" ? t("event.deliveriesTab", { count: row.deliveries }) : t(`event.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="value" className={classes.tab}>
          {decoded}
        </Tabs.Panel>
        <Tabs.Panel value="raw" className={classes.tab}>
          {raw}
        </Tabs.Panel>
        <Tabs.Panel value="both" className={classes.tab}>
          <div className={classes.both}>
            <div>
              <h3>{t("event.value")}</h3>
              {decoded}
            </div>
            <div>
              <h3>{t("event.raw")}</h3>
              {raw}
            </div>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="headers" className={classes.tab}>
          <Delivered
            delivery={delivery.data}
            gone={gone}
            error={delivery.error}
            onRetry={() => void delivery.refetch()}
          >
            {({ headers }) => <Headers headers={headers} />}
          </Delivered>
        </Tabs.Panel>
        <Tabs.Panel value="deliveries" className={classes.tab}>
          <p className={classes.text}>{t("event.deliveriesText")}</p>
          <ol className={classes.arrivals}>
            {arrivals.map((arrival, place) => (
              <li key={`${arrival.seq} ${arrival.ordinal}`} data-shown={arrival.seq === seq || undefined}>
                <span>
                  <Instant at={arrival.receivedAt} format="full" />
                </span>
                <span className={classes.text}>
                  {t("event.arrival", { seq: arrival.seq, place: arrival.ordinal + 1 })}
                </span>
                {arrival.seq === seq ? (
                  <span className={classes.text}>{t("event.shown")}</span>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t("event.showNth", { place: place + 1 })}
                    onClick={() => setSeq(arrival.seq)}
                  >
                    {t("event.show")}
                  </Button>
                )}
              </li>
            ))}
          </ol>
          {row.deliveries > arrivals.length && (
            <p className={classes.text}>{t("event.moreArrivals", { count: row.deliveries - arrivals.length })}</p>
          )}
          {delivery.data && <Items delivery={delivery.data} but={row.id} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

interface DeliveredProps {
  delivery: DeliveryDetail | undefined;
  /** Whether retention removed it. */
  gone: boolean;
  error: unknown;
  onRetry: () => void;
  children: (delivery: DeliveryDetail) => ReactNode;
}

/** What needs the delivery, or why there is none. */
function Delivered({ delivery, gone, error, onRetry, children }: DeliveredProps) {
  const { t } = useTranslation("activity");
  if (gone) return <p className={classes.text}>{t("event.rawGone")}</p>;
  if (error) return <ErrorNotice error={error} onRetry={onRetry} />;
  return delivery ? children(delivery) : <Loading rows={3} />;
}

function EventFacts({
  event: { row, facts },
  delivery,
  gone,
}: {
  event: EventDetail;
  delivery?: DeliveryDetail | undefined;
  gone: boolean;
}) {
  const { t, i18n } = useTranslation("activity");
  const status = useStatusText();
  return (
    <Facts className={classes.spread}>
      {facts.map(({ label, value }, place) => {
        const key = `fact.${label}`;
        return (
          <Fragment key={place}>
            <dt>{i18n.exists(key, { ns: "activity" }) ? t(key as "fact.person") : label}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        );
      })}
      <dt>{t("event.received")}</dt>
      <dd>
        <Instant at={delivery?.receivedAt ?? row.receivedAt} format="full" />
      </dd>
      {row.contact ? (
        <Filterable name="contact" value={row.contact} />
      ) : row.template ? null : (
        <>
          <dt>{t("event.subject")}</dt>
          <dd>{row.subject || "—"}</dd>
        </>
      )}
      {row.template && <Filterable name="template" value={row.template} />}
      {row.status && <Filterable name="status" value={row.status} text={status(row.status)} />}
      {row.number && <Filterable name="number" value={row.number} />}
      <dt>{t("event.field")}</dt>
      <dd>
        <code>{row.field || "—"}</code>
      </dd>
      <dt>{t("event.deliveries")}</dt>
      <dd>{row.deliveries > 1 ? t("deliveredTimes", { count: row.deliveries }) : t("deliveredOnce")}</dd>
      <dt>{t("event.place")}</dt>
      <dd>{delivery?.seq ?? row.seq}</dd>
      <dt>{t("event.signature")}</dt>
      <dd>{gone ? t("event.signatureGone") : delivery ? <Signature verdict={delivery.signature} /> : "…"}</dd>
      {delivery && (
        <>
          <dt>SHA-256</dt>
          <dd>
            <code className={styles.truncate} title={delivery.digest}>
              {delivery.digest}
            </code>
            <CopyButton text={delivery.digest} label={t("event.copyDigest")} />
          </dd>
        </>
      )}
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

function Actions({ event: { row }, seq, gone }: { event: EventDetail; seq: number; gone: boolean }) {
  const { t } = useTranslation("activity");
  const navigate = route.useNavigate();
  const replay = useReplayOne();
  const forward = useForwardStored();
  return (
    <div className={classes.actions}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowsDiff size={14} aria-hidden />}
        onClick={() => void navigate({ search: ({ event: _, tab: __, ...rest }) => ({ ...rest, compare: row.id }) })}
      >
        {t("compare.start")}
      </Button>
      {!gone && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={replay.isPending}
            onClick={() => replay.run(seq)}
          >
            {t("replay.one")}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
            onClick={() => forward(seq)}
          >
            {t("forward.one")}
          </Button>
        </>
      )}
    </div>
  );
}

/** The events of a delivery; but the one that is open. */
export function Items({ delivery: { items }, but }: { delivery: DeliveryDetail; but?: string }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const summary = useSummaryText();
  const others = items.filter(({ id }) => id !== but);
  if (others.length === 0) return but === undefined ? <p className={classes.text}>{t("delivery.noItems")}</p> : null;
  return (
    <>
      <h3 className={classes.heading}>{t(but === undefined ? "delivery.items" : "delivery.otherItems")}</h3>
      <ul className={classes.items}>
        {others.map((item) => (
          <li key={item.id}>
            <Link from="/activity" search={({ delivery: _, ...rest }) => ({ ...rest, event: item.id })}>
              {kindText(item.kind)} · {item.subject} · {summary(item)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
