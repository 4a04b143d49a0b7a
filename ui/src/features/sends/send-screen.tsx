import { Alert, Anchor, Button, Timeline } from "@mantine/core";
import { IconArrowLeft, IconBulb, IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SendDetail, StatusEntry } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { queries } from "@/lib/ipc/queries";
import { callbackData } from "./callback-data";
import classes from "./sends.module.css";

/** One send: what left, what the provider answered, and what became of the message. */
export function SendScreen() {
  const { t } = useTranslation("sends");
  const { send: id } = useParams({ from: "/sends/$send" });
  const send = useQuery(queries.send(id));
  const row = send.data?.row;
  return (
    <>
      <PageHeader
        lead={
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/sends" {...props} />}
          >
            {t("title")}
          </Button>
        }
        title={row ? t("detailTitle", { recipient: row.recipient }) : t("oneSend")}
        aside={row && <StatusBadge status={row.state} />}
        detail={
          row && (
            <>
              {row.templateName} · {row.language} · <Instant at={row.createdAt} format="full" />
            </>
          )
        }
      >
        {row && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/templates" search={{ q: row.templateName }} {...props} />}
          >
            {t("toTemplate")}
          </Button>
        )}
      </PageHeader>
      {send.error && <ErrorNotice error={send.error} onRetry={() => void send.refetch()} />}
      {send.isPending && <Loading />}
      {send.data && <Detail send={send.data} />}
    </>
  );
}

function Detail({ send }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const { row, payload, response, responseStatus, messageId, error } = send;
  const data = callbackData(payload);
  return (
    <div className={classes.page}>
      <div className={classes.stack}>
        {error && (
          <div className={classes.refusal}>
            <ErrorNotice error={error} />
          </div>
        )}
        {row.state === "unknown" && (
          <Alert color="orange" variant="light" icon={<IconInfoCircle size={18} />} title={t("unanswered.title")}>
            {t("unanswered.text")}
          </Alert>
        )}
        <Card title={t("timeline.title")}>
          <Story send={send} />
        </Card>
        <Card title={t("facts.title")}>
          <dl className={classes.facts}>
            <dt>{t("facts.recipient")}</dt>
            <dd>{row.recipient}</dd>
            <dt>{t("facts.number")}</dt>
            <dd>{row.number}</dd>
            <dt>{t("facts.template")}</dt>
            <dd>
              {row.templateName} ({row.language})
            </dd>
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
          </dl>
        </Card>
      </div>
      <div className={classes.stack}>
        <Card title={t("payload")}>
          <JsonView text={payload} label={t("payload")} maxHeight="26rem" />
        </Card>
        {data !== undefined && (
          <Card title={t("callback.sent")}>
            <JsonView text={data} label={t("callback.sent")} maxHeight="12rem" />
          </Card>
        )}
        <Card title={responseStatus ? t("answerStatus", { status: responseStatus }) : t("answer")}>
          {response ? (
            <JsonView text={response} label={t("answer")} maxHeight="16rem" />
          ) : (
            <p className={classes.stepText}>{t("noAnswer")}</p>
          )}
        </Card>
      </div>
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

/** What happened, oldest first: it left, the provider answered, the channel reported. */
function Story({ send: { row, timeline, responseStatus } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const waiting = row.state === "recorded" || row.state === "accepted" || row.state === "sent";
  const steps: { key: string; item: ReactNode; bad: boolean }[] = [
    { key: "left", bad: false, item: <Step title={t("timeline.left")} at={row.createdAt} /> },
  ];
  if (row.state === "refused") {
    steps.push({
      key: "refused",
      bad: true,
      item: <Step title={t("timeline.refused")} text={t("timeline.refusedText")} />,
    });
  } else if (row.state === "unknown") {
    steps.push({ key: "unknown", bad: true, item: <Step title={t("timeline.unknown")} /> });
  } else if (responseStatus) {
    steps.push({
      key: "accepted",
      bad: false,
      item: <Step title={t("timeline.accepted", { status: responseStatus })} />,
    });
  }
  for (const [place, entry] of timeline.entries()) {
    steps.push({
      key: `${entry.status} ${place}`,
      bad: entry.status === "failed" || Boolean(entry.error),
      item: <Reported entry={entry} />,
    });
  }
  return (
    <>
      <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2} aria-label={t("timeline.title")}>
        {steps.map(({ key, item, bad }) => (
          <Timeline.Item key={key} color={bad ? "red" : "brand"}>
            {item}
          </Timeline.Item>
        ))}
      </Timeline>
      {waiting && (
        <p className={classes.stepText} style={{ marginTop: "0.875rem" }}>
          {t("timeline.waiting")}{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/activity" {...props} />}>
            {t("timeline.toActivity")}
          </Anchor>
        </p>
      )}
    </>
  );
}

function Step({ title, at, text }: { title: string; at?: number; text?: string }) {
  return (
    <>
      <div className={classes.step}>
        <span>{title}</span>
        {at !== undefined && <Instant at={at} format="full" />}
      </div>
      {text && <p className={classes.stepText}>{text}</p>}
    </>
  );
}

function Reported({ entry }: { entry: StatusEntry }) {
  const { t } = useTranslation("sends");
  const status = useStatusText();
  return (
    <>
      <Step title={status(entry.status)} at={entry.at} />
      {entry.explanation && (
        <Alert
          mt="xs"
          p="xs"
          color={entry.status === "failed" ? "red" : "orange"}
          variant="light"
          icon={<IconBulb size={16} aria-hidden />}
        >
          {entry.explanation}
        </Alert>
      )}
      {entry.error && (
        <details style={{ marginTop: "0.5rem", fontSize: "var(--mantine-font-size-xs)" }} open={!entry.explanation}>
          <summary>{t("timeline.errorObject")}</summary>
          <JsonView text={entry.error} label={t("timeline.errorObject")} maxHeight="14rem" />
        </details>
      )}
    </>
  );
}
