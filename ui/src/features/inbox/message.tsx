import { Badge } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ConversationMessage, RepliedMessage } from "@/bindings/app";
import { FailureExplained } from "@/components/failure-explained";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { Facts } from "./facts";
import { KindIcon, useKindText } from "./kinds";
import { Media } from "./media";
import classes from "./message.module.css";

interface MessageProps {
  workspace: string;
  message: ConversationMessage;
  /** Whether its number is shown: where it is another one than that of the message before. */
  withNumber: boolean;
}

/** A message of any kind: all that it says, what it answers, and where it can be followed. */
export function Message({ workspace, message, withNumber }: MessageProps) {
  const { t } = useTranslation("inbox");
  const kindText = useKindText();
  const { outgoing, kind, text, at, state, event, send, media, facts, replyTo, reactions, error, raw, number } =
    message;
  const word = kind === "" ? t("contentUnknown") : kindText(kind);
  return (
    <article className={classes.message} aria-label={t(outgoing ? "ours" : "theirs")}>
      {replyTo && <Quote reply={replyTo} />}
      {kind !== "text" && (
        <span className={classes.kind}>
          <KindIcon kind={kind} />
          {media?.voice ? t("voice") : word}
        </span>
      )}
      {media && <Media workspace={workspace} event={event} media={media} word={word} />}
      {text !== "" && (
        <p className={classes.text} data-mark={kind === "reaction" || undefined} dir="auto">
          {text}
        </p>
      )}
      {kind === "reaction" && text === "" && <p className={classes.quiet}>{t("reactionGone")}</p>}
      {facts.length > 0 && <Facts kind={kind} facts={facts} />}
      {error && (
        <div className={classes.error}>
          {kind === "unsupported" && <p>{t("unsupportedText")}</p>}
          <FailureExplained explanation={error} />
        </div>
      )}
      {raw && (
        <div className={classes.raw}>
          <p className={classes.quiet}>{t("rawText")}</p>
          <JsonView text={raw} label={t("raw")} maxHeight="18rem" />
        </div>
      )}
      {reactions.length > 0 && (
        <ul className={classes.reactions} aria-label={t("reactions")}>
          {reactions.map((reaction) => (
            <li key={`${reaction.emoji} ${reaction.at}`}>
              {reaction.emoji} <Instant at={reaction.at} />
            </li>
          ))}
        </ul>
      )}
      <footer className={classes.foot}>
        {withNumber && number && (
          <Badge size="xs" variant="default">
            {number}
          </Badge>
        )}
        {event && (
          <Link to="/activity" search={{ event }}>
            {t("toEvent")}
          </Link>
        )}
        {send && (
          <Link to="/sends/$send" params={{ send }}>
            {t("toSend")}
          </Link>
        )}
        {state && <StatusBadge status={state} size="xs" />}
        <Instant at={at} format="moment" />
      </footer>
    </article>
  );
}

/** What a message answers; our own is one of our sends. */
function Quote({ reply: { send, excerpt, outgoing, message } }: { reply: RepliedMessage }) {
  const { t } = useTranslation("inbox");
  return (
    <blockquote className={classes.quote}>
      <span className={classes.quoteHead}>
        <IconArrowBackUp size={14} stroke={1.7} aria-hidden />
        {t(outgoing ? "answersOurs" : "answersTheirs")}
        {send && (
          <Link to="/sends/$send" params={{ send }}>
            {t("toAnsweredSend")}
          </Link>
        )}
      </span>
      <span className={styles.truncate} dir="auto">
        {excerpt || <code>{message}</code>}
      </span>
    </blockquote>
  );
}
