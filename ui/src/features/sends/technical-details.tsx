import { Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { SendDetail, StatusConversation } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { CurlView } from "@/components/curl-view";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { useStatusText } from "@/components/status-badge";
import { CallbackView } from "./callback-view";
import { usePriceText } from "./price-text";
import classes from "./send-page.module.css";
import shared from "./sends.module.css";

/** What engineers look up: identifiers, the request and its answer, what each status said, and the callback data. */
export function TechnicalDetails({ send }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  return (
    <details className={classes.technical}>
      <summary>{t("technical")}</summary>
      <div className={classes.technicalBody}>
        <Identifiers send={send} />
        <Exchange send={send} />
        <Statuses send={send} />
        <Callback send={send} />
      </div>
    </details>
  );
}

function Identifiers({ send: { messageId, trackingId } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  return (
    <Facts>
      <dt>{t("facts.messageId")}</dt>
      <dd>
        {messageId ? (
          <>
            <code>{messageId}</code>
            <CopyButton text={messageId} label={t("facts.copyMessageId")} />
          </>
        ) : (
          t("facts.noMessageId")
        )}
      </dd>
      {trackingId && (
        <>
          <dt>{t("facts.trackingId")}</dt>
          <dd>
            <code>{trackingId}</code>
            <CopyButton text={trackingId} label={t("facts.copyTrackingId")} />
          </dd>
        </>
      )}
    </Facts>
  );
}

/** When each status was received, and what else it said. */
function Statuses({ send: { timeline } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const status = useStatusText();
  const priceText = usePriceText();
  if (timeline.length === 0) return null;
  return (
    <section className={classes.linked} aria-label={t("timeline.received")}>
      <h3>{t("timeline.received")}</h3>
      <Facts>
        {timeline.map(({ status: word, event, receivedAt, pricing, conversation }, index) => (
          <Fragment key={`${word} ${index}`}>
            <dt>{status(word)}</dt>
            <dd>
              {receivedAt != null && <Instant at={receivedAt} format="full" />}
              {event && (
                <Link to="/activity" search={{ event }}>
                  {t("timeline.event")}
                </Link>
              )}
              {pricing && <span>{priceText(pricing)}</span>}
              {conversation && <Conversation conversation={conversation} />}
            </dd>
          </Fragment>
        ))}
      </Facts>
    </section>
  );
}

function Conversation({ conversation: { id, origin, expiresAt } }: { conversation: StatusConversation }) {
  const { t } = useTranslation("sends");
  return (
    <span>
      {t("conversation.title")} {origin} {id && <code>{id}</code>}
      {expiresAt != null && (
        <>
          {" "}
          {t("conversation.expires")} <Instant at={expiresAt} format="full" />
        </>
      )}
    </span>
  );
}

/** The request and the answer as they were. */
function Exchange({ send: { request, payload, curl, response, responseStatus } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  return (
    <section aria-label={t("exchange")}>
      <Tabs defaultValue="request">
        <Tabs.List aria-label={t("exchange")}>
          <Tabs.Tab value="request">{t("request")}</Tabs.Tab>
          <Tabs.Tab value="answer">
            {responseStatus ? t("answerStatus", { status: responseStatus }) : t("answer")}
          </Tabs.Tab>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="request" pt="sm">
          <p className={classes.requestLine}>
            <code>
              {request.method} {request.url}
            </code>
          </p>
          <JsonView text={payload} label={t("payload")} maxHeight="30rem" />
        </Tabs.Panel>
        <Tabs.Panel value="answer" pt="sm">
          {response ? (
            <JsonView text={response} label={t("answer")} maxHeight="30rem" />
          ) : (
            <p className={shared.stepText}>{t("noAnswer")}</p>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="curl" pt="sm">
          <p className={shared.small}>{t("form.tokenLeftOut")}</p>
          <CurlView text={curl} copyLabel={t("form.copyCurl")} maxHeight="30rem" />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

/** The callback data that went, and whether it came back unchanged. */
function Callback({ send: { callbackData, trackingId, timeline } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  if (callbackData == null) return null;
  const echoed = timeline.filter((entry) => entry.callbackData != null);
  const changed = echoed.filter((entry) => entry.callbackData !== callbackData).length;
  return (
    <section className={classes.callback} aria-label={t("callback.sent")}>
      <h3>{t("callback.sent")}</h3>
      <CallbackView text={callbackData} label={t("callback.sent")} trackingId={trackingId} />
      <p className={shared.stepText}>
        {echoed.length === 0
          ? t("callback.notEchoed")
          : changed === 0
            ? t("callback.echoed", { count: echoed.length })
            : t("callback.changed", { count: changed })}
      </p>
    </section>
  );
}
