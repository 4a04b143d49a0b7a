import { Alert, Button, Stack, Tabs } from "@mantine/core";
import { IconInfoCircle, IconRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SendDetail } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { CurlView } from "@/components/curl-view";
import { AnswerLost, ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { FailureExplained } from "@/components/failure-explained";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { StatusBadge } from "@/components/status-badge";
import { WithReason } from "@/components/with-reason";
import { useWorkspace } from "@/lib/desk";
import { Back } from "./back";
import { CallbackView } from "./callback-view";
import { sendsQueries } from "./queries";
import { repeatSend, repeatText } from "./send-form-state";
import classes from "./send-page.module.css";
import shared from "./sends.module.css";
import { StatusTimeline } from "./status-timeline";

/** One send: what left, what the provider answered, and what became of the message. */
export function SendScreen() {
  const { t } = useTranslation("sends");
  const { send: id } = useParams({ from: "/sends/$send" });
  const send = useQuery(sendsQueries.send(id));
  const row = send.data?.row;
  return (
    <>
      <PageHeader
        lead={<Back to="/sends" />}
        title={row ? t("detailTitle", { recipient: row.recipientName || row.recipient, nest: false }) : t("oneSend")}
        aside={row && <StatusBadge status={row.state} />}
        detail={
          row && (
            <>
              {row.kind === "text" ? t("mode.text") : `${row.templateName} · ${row.language}`} ·{" "}
              <Instant at={row.createdAt} format="full" />
            </>
          )
        }
      >
        {send.data && <Actions send={send.data} />}
      </PageHeader>
      {send.error && <ErrorNotice error={send.error} onRetry={() => void send.refetch()} />}
      {send.isPending && <Loading />}
      {send.data && <Detail send={send.data} />}
    </>
  );
}

function Actions({ send: { row, again, againText } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const navigate = useNavigate();
  const repeat = () => {
    if (again) {
      repeatSend(again);
      void navigate({ to: "/sends/new", search: { reference: again.reference } });
    } else if (againText) {
      repeatText(againText);
      void navigate({ to: "/sends/new", search: { mode: "text" } });
    }
  };
  const unknown = !again && !againText;
  return (
    <>
      {row.reference != null && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/templates/$reference" params={{ reference: row.reference ?? "" }} {...props} />
          )}
        >
          {t("form.toTemplate")}
        </Button>
      )}
      {row.reference == null && row.kind === "template" && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/templates" search={{ q: row.templateName }} {...props} />}
        >
          {t("toTemplate")}
        </Button>
      )}
      <WithReason reason={unknown ? t("again.unknown") : undefined}>
        <Button
          leftSection={<IconRepeat size={15} aria-hidden />}
          data-disabled={unknown || undefined}
          aria-disabled={unknown}
          onClick={repeat}
        >
          {t("again.action")}
        </Button>
      </WithReason>
    </>
  );
}

function Detail({ send }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const { row, error, explanation } = send;
  return (
    <div className={classes.page}>
      <Stack gap="1rem" miw={0}>
        {error && row.state !== "unknown" && (
          <div className={shared.refusal}>
            <ErrorNotice error={error} />
          </div>
        )}
        {explanation && (
          <Card title={t("refusal.title")}>
            <FailureExplained explanation={explanation} />
          </Card>
        )}
        {row.state === "unknown" && <Unanswered send={send} />}
        <Card title={t("timeline.title")}>
          <StatusTimeline send={send} />
        </Card>
        <Replies send={send} />
        <Card title={t("facts.title")}>
          <MessageFacts send={send} />
        </Card>
      </Stack>
      <Stack gap="1rem" miw={0}>
        <Exchange send={send} />
        <Callback send={send} />
      </Stack>
    </div>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** No answer says whether the message went, so nobody sends it again but the person. */
function Unanswered({ send: { row, error } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const { sandbox } = useWorkspace();
  return (
    <Alert color="orange" variant="light" icon={<IconInfoCircle size={18} />} title={t("unanswered.title")}>
      {error?.code === "outcomeUnknown" && error.cause && <AnswerLost cause={error.cause} />}
      <p className={classes.alertText}>{t("unanswered.text")}</p>
      <ul className={classes.todo}>
        <li>
          {sandbox ? (
            <Link to="/phone" search={{ recipient: row.recipient }}>
              {t("unanswered.phone")}
            </Link>
          ) : (
            t("unanswered.ask")
          )}
        </li>
        <li>
          <Link to="/activity" search={{ contact: row.recipient }}>
            {t("unanswered.events")}
          </Link>
        </li>
        <li>{t("unanswered.again")}</li>
      </ul>
    </Alert>
  );
}

function MessageFacts({ send: { row, messageId, trackingId } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  return (
    <Facts className={classes.linked}>
      <dt>{t("facts.recipient")}</dt>
      <dd>
        {row.recipientName ? `${row.recipientName} · ${row.recipient}` : row.recipient}
        <Link to="/inbox" search={{ contact: row.recipient }}>
          {t("facts.toInbox")}
        </Link>
      </dd>
      <dt>{t("facts.number")}</dt>
      <dd>{row.number}</dd>
      {row.kind === "template" ? (
        <>
          <dt>{t("facts.template")}</dt>
          <dd>
            {row.templateName} ({row.language})
          </dd>
        </>
      ) : (
        <>
          <dt>{t("facts.text")}</dt>
          <dd className={classes.textSent} dir="auto">
            {row.text}
          </dd>
        </>
      )}
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
      {row.batch != null && (
        <>
          <dt>{t("list.batch")}</dt>
          <dd>
            <Link to="/sends/batches/$batch" params={{ batch: row.batch }}>
              {t("facts.toBatch")}
            </Link>
          </dd>
        </>
      )}
    </Facts>
  );
}

/** What the recipient answered to this very message. */
function Replies({ send: { row, replies } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  if (replies.length === 0) return null;
  return (
    <Card title={t("replies.title")}>
      <ul className={classes.replies}>
        {replies.map(({ event, at, text }) => (
          <li key={event}>
            <p dir="auto">{text === "" ? t("replies.noText") : text}</p>
            <span>
              <Instant at={at} format="full" />
              <Link to="/inbox" search={{ contact: row.recipient }}>
                {t("replies.inbox")}
              </Link>
              <Link to="/activity" search={{ event }}>
                {t("timeline.event")}
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The request and the answer as they were. */
function Exchange({ send: { request, payload, curl, response, responseStatus } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  return (
    <Card title={t("exchange")}>
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
    </Card>
  );
}

/** The callback data that went, and whether it came back unchanged. */
function Callback({ send: { callbackData, trackingId, timeline } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  if (callbackData == null) return null;
  const echoed = timeline.filter((entry) => entry.callbackData != null);
  const changed = echoed.filter((entry) => entry.callbackData !== callbackData).length;
  return (
    <Card title={t("callback.sent")}>
      <CallbackView text={callbackData} label={t("callback.sent")} trackingId={trackingId} />
      <p className={shared.stepText}>
        {echoed.length === 0
          ? t("callback.notEchoed")
          : changed === 0
            ? t("callback.echoed", { count: echoed.length })
            : t("callback.changed", { count: changed })}
      </p>
    </Card>
  );
}
