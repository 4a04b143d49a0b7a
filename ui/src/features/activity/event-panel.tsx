import { CloseButton, SegmentedControl, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EventDetail } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { hexDump } from "./hex";
import { useKindText } from "./kinds";

/** One event: what it says, and the delivery it first came by. */
export function EventPanel({ event: id, onClose }: { event: string; onClose: () => void }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const event = useQuery(queries.event(id));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside
      className={classes.panel}
      aria-label={t("event.label")}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      <div className={classes.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {event.data ? kindText(event.data.row.kind) : t("event.label")}
        </h2>
        <CloseButton aria-label={t("event.close")} onClick={onClose} />
      </div>
      {event.error && <ErrorNotice error={event.error} onRetry={() => void event.refetch()} />}
      {event.isPending && <Loading rows={4} />}
      {event.data && <Detail event={event.data} />}
    </aside>
  );
}

function Detail({ event: { row, value, raw, headers, rawDigest } }: { event: EventDetail }) {
  const { t } = useTranslation("activity");
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("event.received")}</dt>
        <dd>
          <Instant at={row.receivedAt} format="full" />
        </dd>
        <dt>{t("event.subject")}</dt>
        <dd>{row.subject || "—"}</dd>
        <dt>{t("event.field")}</dt>
        <dd>
          <code>{row.field || "—"}</code>
        </dd>
        <dt>{t("event.deliveries")}</dt>
        <dd>{row.deliveries > 1 ? t("deliveredTimes", { count: row.deliveries }) : t("deliveredOnce")}</dd>
        <dt>{t("event.place")}</dt>
        <dd>{row.seq}</dd>
        {rawDigest && (
          <>
            <dt>SHA-256</dt>
            <dd>
              <code className={classes.digest} title={rawDigest}>
                {rawDigest}
              </code>
              <CopyButton text={rawDigest} label={t("event.copyDigest")} />
            </dd>
          </>
        )}
      </dl>
      <Tabs defaultValue="value" className={classes.tabs}>
        <Tabs.List aria-label={t("event.views")}>
          <Tabs.Tab value="value">{t("event.value")}</Tabs.Tab>
          <Tabs.Tab value="raw">{t("event.raw")}</Tabs.Tab>
          <Tabs.Tab value="headers">{t("event.headers")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="value" className={classes.tab}>
          <JsonView text={value} label={t("event.value")} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" className={classes.tab}>
          {raw == null ? <p className={classes.text}>{t("event.rawGone")}</p> : <Raw raw={raw} />}
        </Tabs.Panel>
        <Tabs.Panel value="headers" className={classes.tab}>
          {headers.length === 0 ? (
            <p className={classes.text}>{t("event.noHeaders")}</p>
          ) : (
            <dl className={classes.facts}>
              {headers.map(([name, content], place) => (
                <div key={place} className={classes.header}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>
                    <code>{content}</code>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The delivery as it came: not laid out, not decoded. */
function Raw({ raw }: { raw: string }) {
  const { t } = useTranslation("activity");
  const [view, setView] = useState<"text" | "bytes">("text");
  const bytes = useMemo(() => new TextEncoder().encode(raw), [raw]);
  // The host puts U+FFFD in the place of bytes that are no UTF-8: those cannot be shown from here.
  const lossy = raw.includes("\uFFFD");
  const text = useMemo(() => (view === "text" ? raw : hexDump(bytes)), [view, raw, bytes]);
  return (
    <>
      <div className={classes.rawHead}>
        <SegmentedControl
          size="xs"
          aria-label={t("raw.view")}
          value={view}
          onChange={(next) => setView(next === "bytes" ? "bytes" : "text")}
          data={[
            { value: "text", label: t("raw.text") },
            { value: "bytes", label: t("raw.bytes") },
          ]}
        />
        <span className={classes.text}>{t("raw.size", { count: bytes.length })}</span>
        <CopyButton text={raw} label={t("raw.copy")} />
      </div>
      {lossy && <p className={classes.text}>{t("raw.lossy")}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classes.raw} data-view={view} tabIndex={0} aria-label={t("event.raw")}>
        <pre>{text}</pre>
      </section>
    </>
  );
}
