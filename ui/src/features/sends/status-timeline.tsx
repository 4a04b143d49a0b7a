import { Anchor, Badge, Timeline, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SendDetail, StatusEntry } from "@/bindings/app";
import { FailureExplained } from "@/components/failure-explained";
import { Instant } from "@/components/instant";
import { useStatusText } from "@/components/status-badge";
import { useNow } from "@/lib/now";
import classes from "./send-page.module.css";
import shared from "./sends.module.css";
import { awaitsStatus } from "./shown-state";

/** From then on, a message that is only sent is explained, in milliseconds. */
const LONG_SENT = 24 * 3_600_000;

/** The history of a send, oldest first: sent, answered, statuses of the channel. */
export function StatusTimeline({ send }: { send: SendDetail }) {
  const { row, timeline, responseStatus, callbackData, messageId } = send;
  const { t } = useTranslation("sends");
  const status = useStatusText();
  const hasLeft = !row.notSent && row.state !== "refused" && row.state !== "unknown";
  // Until its identifier is known, its events are among those of the person.
  const events = messageId ? { q: messageId } : { contact: row.recipient };
  const now = useNow();
  const sentAt = timeline.findLast((entry) => entry.status === "sent")?.at ?? row.createdAt;
  const isLongSent = row.state === "sent" && now - sentAt > LONG_SENT;
  const steps: { key: string; item: ReactNode; bad: boolean }[] = [
    {
      key: "left",
      bad: false,
      item: <Step title={t(hasLeft ? "timeline.left" : "timeline.tried")} at={row.createdAt} />,
    },
  ];
  if (row.state === "refused" && row.retryAt == null) {
    const item = row.notSent ? (
      <Step title={status("notSent")} text={t("timeline.notSentText")} />
    ) : (
      <Step title={t("timeline.refused")} text={t("timeline.refusedText")} />
    );
    steps.push({ key: "refused", bad: true, item });
  } else if (row.state === "unknown") {
    steps.push({ key: "unknown", bad: true, item: <Step title={t("timeline.unknown")} /> });
  } else if (responseStatus && row.retryAt == null) {
    const item = <Step title={t("timeline.accepted", { status: responseStatus })} />;
    steps.push({ key: "accepted", bad: false, item });
  }
  for (const [index, entry] of timeline.entries()) {
    steps.push({
      key: `${entry.status} ${index}`,
      bad: entry.status === "failed" || Boolean(entry.error),
      item: <Reported entry={entry} sent={callbackData} isFreeText={row.kind === "text"} />,
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
      {awaitsStatus(row.state) && (
        <p className={classes.waiting}>
          {t(isLongSent ? "timeline.longSent" : "timeline.waiting")}{" "}
          <Anchor inherit renderRoot={(props) => <Link to="/activity" search={events} {...props} />}>
            {t("timeline.toActivity")}
          </Anchor>
        </p>
      )}
    </>
  );
}

interface StepProps {
  title: string;
  at?: number;
  text?: string;
  children?: ReactNode;
}

function Step({ title, at, text, children }: StepProps) {
  return (
    <>
      <div className={classes.step}>
        <span>
          {title}
          {children}
        </span>
        {at !== undefined && <Instant at={at} format="full" />}
      </div>
      {text && <p className={shared.stepText}>{text}</p>}
    </>
  );
}

interface ReportedProps {
  entry: StatusEntry;
  /** The callback data that was sent. */
  sent: string | null | undefined;
  isFreeText: boolean;
}

function Reported({ entry, sent, isFreeText }: ReportedProps) {
  const { t } = useTranslation("sends");
  const status = useStatusText();
  const { deliveries, late, error, explanation, callbackData } = entry;
  return (
    <>
      <Step title={status(entry.status)} at={entry.at}>
        {deliveries > 1 && (
          <Badge size="xs" variant="default" ml={6}>
            {t("timeline.repeated", { count: deliveries })}
          </Badge>
        )}
        {late && (
          <Tooltip label={t("timeline.lateText")} multiline maw="18rem">
            <Badge size="xs" variant="light" color="orange" ml={6} tabIndex={0}>
              {t("timeline.late")}
            </Badge>
          </Tooltip>
        )}
      </Step>
      {callbackData != null && sent != null && callbackData !== sent && (
        <p className={shared.stepText}>
          {t("timeline.callbackDiffers")}: <code>{callbackData}</code>
        </p>
      )}
      {(error || explanation) && (
        <div className={classes.failure}>
          <FailureExplained explanation={explanation} error={error} isFreeText={isFreeText} />
        </div>
      )}
    </>
  );
}
