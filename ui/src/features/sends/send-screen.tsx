import { Alert, Button } from "@mantine/core";
import { IconDeviceMobile, IconInfoCircle, IconMessageCircle, IconRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SendDetail } from "@/bindings/app";
import { Card } from "@/components/card";
import { AnswerLost, ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { FailureExplained } from "@/components/failure-explained";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { useMessageKindText } from "@/components/message-kind";
import { PageHeader } from "@/components/page-header";
import { Phone } from "@/components/phone/phone";
import { usePictures } from "@/components/phone/use-pictures";
import { PhoneNumber } from "@/components/phone-number";
import { SendWait } from "@/components/send-wait";
import { StatusBadge } from "@/components/status-badge";
import { useAskSecondMessage } from "@/components/use-ask-second-message";
import { WithReason } from "@/components/with-reason";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { useNumberName } from "@/lib/number-names";
import { Back } from "./back";
import { usePriceText } from "./price-text";
import { sendsQueries } from "./queries";
import { repeatSend, repeatText } from "./send-form-state";
import classes from "./send-page.module.css";
import shared from "./sends.module.css";
import { awaitsStatus, shownState } from "./shown-state";
import { StatusTimeline } from "./status-timeline";
import { TechnicalDetails } from "./technical-details";

/** One send: the message as it arrives, what became of it, and the next step. */
export function SendScreen() {
  const { t } = useTranslation("sends");
  const languageName = useLanguageName();
  const { send: id } = useParams({ from: "/sends/$send" });
  const send = useQuery(sendsQueries.send(id));
  const row = send.data?.row;
  return (
    <>
      <PageHeader
        lead={<Back to="/sends" />}
        title={row ? t("detailTitle", { recipient: row.recipientName || row.formatted, nest: false }) : t("oneSend")}
        aside={row && <StatusBadge status={shownState(row)} />}
        detail={
          row && (
            <>
              {row.recipientName && (
                <>
                  <PhoneNumber>{row.formatted}</PhoneNumber> ·{" "}
                </>
              )}
              {row.kind === "text" ? t("mode.text") : `${row.templateName} · ${languageName(row.language)}`} ·{" "}
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

/** The next step, which in the sandbox is the look at the phone, and the way to send it again. */
function Actions({ send: { row, again, againText } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const { sandbox } = useWorkspace();
  const navigate = useNavigate();
  const askSecondMessage = useAskSecondMessage();
  const repeat = () => {
    if (again) {
      const reply = repeatSend(again);
      void navigate({ to: "/sends/new", search: { reference: again.reference, reply } });
    } else if (againText) {
      repeatText(againText);
      void navigate({ to: "/sends/new", search: { mode: "text" } });
    }
  };
  const ask = () =>
    row.state === "unknown" ? askSecondMessage({ confirm: t("again.unknownConfirm"), onConfirm: repeat }) : repeat();
  const unknown = !again && !againText;
  const left = row.state !== "refused";
  const hasPhone = useHasPhone(row.recipient);
  // It is sent again by itself.
  if (row.retryAt != null) return null;
  return (
    <>
      <WithReason reason={unknown ? t("again.unknown") : undefined}>
        <Button
          variant={left ? "default" : "filled"}
          leftSection={<IconRepeat size={15} aria-hidden />}
          data-disabled={unknown || undefined}
          aria-disabled={unknown}
          onClick={ask}
        >
          {t("again.action")}
        </Button>
      </WithReason>
      {left && hasPhone && (
        <Button
          leftSection={<IconDeviceMobile size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/phone" search={{ recipient: row.recipient }} {...props} />}
        >
          {t("seeOnPhone")}
        </Button>
      )}
      {left && !sandbox && (
        <Button
          leftSection={<IconMessageCircle size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/inbox" search={{ contact: row.recipient }} {...props} />}
        >
          {t("facts.toInbox")}
        </Button>
      )}
    </>
  );
}

/** Whether the sandbox has a phone of the recipient. */
function useHasPhone(recipient: string): boolean {
  const { sandbox } = useWorkspace();
  const phones = useQuery({ ...queries.phones(), enabled: sandbox });
  return sandbox && (phones.data?.some((phone) => phone.recipient === recipient) ?? false);
}

function Detail({ send }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const { row, error, explanation } = send;
  const isRefused = error != null && row.state !== "unknown" && row.retryAt == null;
  const retryHelpsAt = isRefused ? send.retryHelpsAt : null;
  return (
    <div className={classes.page} data-message={send.bubble != null || undefined}>
      <Message send={send} />
      <div className={classes.column}>
        {row.retryAt != null && <SendWait send={row.id} until={row.retryAt} />}
        {isRefused && (
          <div className={shared.refusal}>
            <ErrorNotice error={error} isExplained={explanation != null} />
          </div>
        )}
        {retryHelpsAt != null && (
          <p>
            {t("again.helpsAt")} <Instant at={retryHelpsAt} format="moment" />.
          </p>
        )}
        {explanation && (
          <Card title={t("refusal.title")}>
            <FailureExplained explanation={explanation} isFreeText={row.kind === "text"} number={row.number} />
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
        <TechnicalDetails send={send} />
      </div>
    </div>
  );
}

/** The message on the phone, with the pictures that were sent. */
function Message({ send: { bubble, row } }: { send: SendDetail }) {
  const sender = useNumberName()(row.number);
  const pictures = usePictures(bubble);
  if (!bubble) return null;
  return (
    <div className={classes.message}>
      <Phone bubble={bubble} sender={sender} foot={<Instant at={row.createdAt} />} {...pictures} />
    </div>
  );
}

/** No answer says whether the message went, so nobody sends it again but the person. */
function Unanswered({ send: { row, error } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const hasPhone = useHasPhone(row.recipient);
  return (
    <Alert color="orange" variant="light" icon={<IconInfoCircle size={18} />} title={t("unanswered.title")}>
      {error?.code === "outcomeUnknown" && error.cause && <AnswerLost cause={error.cause} />}
      <p className={classes.alertText}>{t("unanswered.text")}</p>
      <ul className={classes.todo}>
        <li>
          {hasPhone ? (
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

function MessageFacts({ send: { row, pricing, isUndelivered } }: { send: SendDetail }) {
  const { t } = useTranslation("sends");
  const languageName = useLanguageName();
  const number = useNumberName()(row.number);
  const priceText = usePriceText();
  const price = isUndelivered ? t("pricing.undelivered") : priceText(pricing, awaitsStatus(row.state));
  return (
    <Facts className={classes.linked}>
      <dt>{t("facts.recipient")}</dt>
      <dd>
        {row.recipientName && (
          <>
            <bdi>{row.recipientName}</bdi> ·{" "}
          </>
        )}
        <PhoneNumber>{row.formatted}</PhoneNumber>
        <Link to="/inbox" search={{ contact: row.recipient }}>
          {t("facts.toInbox")}
        </Link>
      </dd>
      <dt>{t("facts.number")}</dt>
      <dd>{number ? `${number} (${row.number})` : row.number}</dd>
      {row.kind === "template" ? (
        <>
          <dt>{t("facts.template")}</dt>
          <dd>
            {row.templateName} · {languageName(row.language)}
            {row.reference == null ? (
              <Link to="/templates" search={{ q: row.templateName }}>
                {t("toTemplate")}
              </Link>
            ) : (
              <Link to="/templates/$reference" params={{ reference: row.reference }}>
                {t("form.toTemplate")}
              </Link>
            )}
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
      {price && (
        <>
          <dt>{t("pricing.title")}</dt>
          <dd>{price}</dd>
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
  const kindText = useMessageKindText();
  if (replies.length === 0) return null;
  return (
    <Card title={t("replies.title")}>
      <ul className={classes.replies}>
        {replies.map(({ event, at, kind, text, deletedAt }) => (
          <li key={event}>
            <p dir="auto" title={deletedAt == null ? undefined : new Date(deletedAt).toLocaleString()}>
              {text || kindText(kind)}
            </p>
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
