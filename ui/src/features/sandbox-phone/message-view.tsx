import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconChevronDown,
  IconClock,
  IconFile,
  IconMusic,
  IconPencil,
  IconPhoto,
  IconTrash,
  IconVideo,
  type TablerIcon,
} from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneMedia, PhoneMessage } from "@/bindings/app";
import { useErrorCodeText } from "@/components/error-code";
import { useMessageKindText } from "@/components/message-kind";
import { BubbleView } from "@/components/phone/bubble-view";
import { useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { excerptOf } from "./messages";
import classes from "./messages.module.css";

interface MessageViewProps {
  message: PhoneMessage;
  /** The message it answers, where the phone still has it. */
  quoted: PhoneMessage | undefined;
  /** What the business is called. */
  business: string;
  /** The number of ours it is with, where that is not plain. */
  number: string | undefined;
  onTap: (message: PhoneMessage, button: number, card?: number) => void;
  onReply: (message: PhoneMessage) => void;
  onEdit: (message: PhoneMessage) => void;
  onDelete: (message: PhoneMessage) => void;
}

/** A message with what belongs to it: the one it answers, time and status, and why it failed. */
export const MessageView = memo(function MessageView({
  message,
  quoted,
  business,
  number,
  onTap,
  onReply,
  onEdit,
  onDelete,
}: MessageViewProps) {
  const { t } = useTranslation("sandboxPhone");
  const kindText = useMessageKindText();
  const excerpt = excerptOf(message, 40) || kindText(message.kind);
  const head = message.replyTo ? <Quote message={quoted} business={business} /> : undefined;
  const foot = <Foot message={message} />;
  return (
    <article
      className={classes.message}
      data-mine={message.fromPhone || undefined}
      aria-label={t(message.fromPhone ? "fromPhone" : "fromBusiness", { excerpt })}
    >
      {number && <span className={classes.number}>{number}</span>}
      <div className={classes.line}>
        {message.bubble ? (
          <BubbleView
            bubble={message.bubble}
            onTap={(button, card) => onTap(message, button, card)}
            used={message.taps}
            head={head}
            foot={foot}
          />
        ) : (
          <div className={classes.plain} data-bare={message.media?.kind === "sticker" || undefined}>
            {head}
            {message.media && <MediaView media={message.media} />}
            {message.kind === "revoke" ? (
              <p className={classes.deleted}>{t("deleted")}</p>
            ) : (
              (message.text || !message.media) && (
                <p className={classes.text} dir="auto">
                  {message.text || kindText(message.kind)}
                </p>
              )
            )}
            <span className={classes.time}>{foot}</span>
          </div>
        )}
        {!message.fromPhone && (
          <Tooltip label={t("reply")}>
            <ActionIcon
              className={classes.reply}
              size="sm"
              radius="xl"
              variant="default"
              aria-label={t("replyTo", { excerpt })}
              onClick={() => onReply(message)}
            >
              <IconArrowBackUp size={15} />
            </ActionIcon>
          </Tooltip>
        )}
        {message.fromPhone && message.kind === "text" && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon
                className={classes.reply}
                size="sm"
                radius="xl"
                variant="default"
                aria-label={t("change", { excerpt })}
              >
                <IconChevronDown size={15} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => onEdit(message)}>
                {t("edit")}
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={15} aria-hidden />} onClick={() => onDelete(message)}>
                {t("delete")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {message.error && <Failure error={message.error} />}
      {isAway(message) && <p className={classes.away}>{t("away")}</p>}
    </article>
  );
});

/** Whether a message has not reached the phone, and may still do so. */
function isAway({ fromPhone, status, error }: PhoneMessage): boolean {
  return !fromPhone && !error && (status === "accepted" || status === "sent");
}

/** What a message answers. */
export function Quote({ message, business }: { message: PhoneMessage | undefined; business: string }) {
  const { t } = useTranslation("sandboxPhone");
  const kindText = useMessageKindText();
  return (
    <div className={classes.quoted}>
      <blockquote className={classes.quote}>
        <strong className={styles.truncate}>
          {message ? (message.fromPhone ? t("you") : business) : t("quoteGone")}
        </strong>
        {message && (
          <span dir="auto" className={styles.truncate}>
            {excerptOf(message) || kindText(message.kind)}
          </span>
        )}
      </blockquote>
    </div>
  );
}

const ICONS: Record<string, TablerIcon> = {
  image: IconPhoto,
  sticker: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
};

/** A file by its picture where it has one, its name and its size. */
function MediaView({ media }: { media: PhoneMedia }) {
  const { i18n } = useTranslation();
  const Icon = ICONS[media.kind] ?? IconFile;
  // Only what is part of the page is shown; nothing is ever loaded for it.
  const picture = media.thumbnail?.startsWith("data:image/") ? media.thumbnail : undefined;
  if (media.kind === "sticker" && picture) {
    return <img className={classes.sticker} src={picture} alt={media.name} />;
  }
  return (
    <>
      {picture && <img className={classes.picture} src={picture} alt={media.name} />}
      <span className={classes.file} title={media.mime}>
        {!picture && <Icon size={22} stroke={1.5} aria-hidden />}
        <span>{media.name}</span>
        <small>{byteSize(media.bytes, i18n.language)}</small>
      </span>
    </>
  );
}

const TICKS: Record<string, TablerIcon> = {
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
};

function Foot({ message: { at, status, fromPhone, edited } }: { message: PhoneMessage }) {
  const { t, i18n } = useTranslation("sandboxPhone");
  const statusText = useStatusText();
  const date = new Date(at);
  const Icon = TICKS[status] ?? IconClock;
  return (
    <>
      {edited && `${t("edited")} · `}
      <time dateTime={date.toISOString()} title={date.toLocaleString(i18n.language)}>
        {new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(date)}
      </time>
      {!fromPhone && (
        <Tooltip label={statusText(status)}>
          <span className={classes.ticks} data-status={status} role="img" aria-label={statusText(status)}>
            <Icon size={15} stroke={2} />
          </span>
        </Tooltip>
      )}
    </>
  );
}

/** Why it never reached the phone. */
function Failure({ error: { code, title } }: { error: NonNullable<PhoneMessage["error"]> }) {
  const { t } = useTranslation("sandboxPhone");
  const meaning = useErrorCodeText()(String(code))?.meaning;
  return (
    <p className={classes.failure}>
      <strong>{t("failed", { code })}</strong> {meaning ?? title}
    </p>
  );
}
