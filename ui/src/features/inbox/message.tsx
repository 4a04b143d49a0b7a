import { Badge } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationMessage, DeskError } from "@/bindings/app";
import type { Bubble, Explanation } from "@/bindings/model";
import { useErrorCodeText } from "@/components/error-code";
import { ErrorExplained } from "@/components/error-notice";
import { FailureExplained } from "@/components/failure-explained";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { MessageKindIcon, useMessageKindText } from "@/components/message-kind";
import { BubbleView } from "@/components/phone/bubble-view";
import { Ticks } from "@/components/phone/ticks";
import { usePictures } from "@/components/phone/use-pictures";
import { SendWait } from "@/components/send-wait";
import { useStatusText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { Facts, isTechnical, TAPS } from "./facts";
import { StopWish } from "./marketing-note";
import { Media } from "./media";
import classes from "./message.module.css";
import { MessageMenu } from "./message-menu";
import { Quote } from "./quote";

interface MessageProps {
  workspace: string;
  contact: string;
  /** Our number of the conversation. */
  ours: string | null | undefined;
  /** Name of the contact. */
  name: string;
  message: ConversationMessage;
  /** Whether its number is shown: where it is another one than that of the message before. */
  withNumber: boolean;
  /** Shows the message with this identifier; returns whether it is in the conversation as far as it is loaded. */
  onShow: (message: string) => boolean;
}

/** A message as its reader saw it, with what became of it. */
export const Message = memo(function Message(props: MessageProps) {
  const { workspace, contact, ours, name, message, withNumber, onShow } = props;
  const { t } = useTranslation("inbox");
  const {
    outgoing,
    kind,
    text,
    at,
    state,
    stateAt,
    bubble,
    replyTo,
    reactions,
    error,
    notSent,
    number,
    numberId,
    editedAt,
    send,
    retryAt,
  } = message;
  const { ref, inViewport } = useInViewport<HTMLElement>();
  const wasSeen = useWasTrue(inViewport);
  const pictures = usePictures(outgoing && wasSeen ? bubble : undefined);
  if (kind === "system") return <Notice text={text} at={at} />;
  const large = kind === "reaction" || (kind === "text" && isEmoji(text));
  return (
    <article
      ref={ref}
      className={classes.message}
      data-outgoing={outgoing || undefined}
      data-template={kind === "template" || undefined}
      data-large={large || undefined}
      aria-label={outgoing ? t("ours") : t("theirs", { name })}
    >
      {withNumber && number && (
        <Badge size="sm" variant="default" className={classes.number}>
          {number}
        </Badge>
      )}
      <div className={classes.line}>
        <BubbleView
          bubble={bubble ?? NOTHING}
          {...pictures}
          head={
            <>
              {replyTo && <Quote reply={replyTo} name={name} onShow={onShow} />}
              <Head workspace={workspace} message={message} />
            </>
          }
          foot={
            <>
              {editedAt != null && (
                <>
                  <span title={new Date(editedAt).toLocaleString()}>{t("edited")}</span>
                  {" · "}
                </>
              )}
              <Instant at={at} format="time" />
              {state && <Ticks state={state} at={stateAt} />}
            </>
          }
        >
          <Content message={message} />
        </BubbleView>
        <MessageMenu message={message} />
      </div>
      {reactions.length > 0 && (
        <ul className={classes.reactions} aria-label={t("reactions")}>
          {reactions.map((reaction) => (
            <li key={`${reaction.emoji} ${reaction.at}`} title={new Date(reaction.at).toLocaleString()}>
              {reaction.emoji}
            </li>
          ))}
        </ul>
      )}
      {message.mayWantToStop && <StopWish workspace={workspace} contact={contact} number={numberId ?? ours} />}
      {outgoing && send && retryAt != null && <SendWait send={send} until={retryAt} />}
      {outgoing && retryAt == null && (error || notSent || state === "unknown") && (
        <Failure error={error} notSent={notSent} state={state ?? "failed"} send={send} isFreeText={kind === "text"} />
      )}
    </article>
  );
});

const NOTHING: Bubble = { body: [], buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] };

/** Above the text: what kind of message it is where that is not plain, and its file. */
function Head({ workspace, message }: Pick<MessageProps, "workspace" | "message">) {
  const { t } = useTranslation("inbox");
  const kindText = useMessageKindText();
  const { kind, bubble, media, event, deletedAt } = message;
  const word = kind === "" ? t("contentUnknown") : kindText(kind);
  // What the bubble does not tell by itself.
  const named = !(bubble || media || TAPS.has(kind)) || (media != null && media.kind === "audio");
  return (
    <>
      {named && (
        <span className={classes.kind} title={deletedAt == null ? undefined : new Date(deletedAt).toLocaleString()}>
          <MessageKindIcon kind={kind} />
          {media?.voice ? t("voice") : word}
        </span>
      )}
      {media && <Media workspace={workspace} event={event} media={media} word={word} />}
    </>
  );
}

/** What a message has besides a file, a formatted text and buttons. */
function Content({ message }: Pick<MessageProps, "message">) {
  const { t } = useTranslation("inbox");
  const { kind, text, bubble, facts, error, raw, outgoing, template } = message;
  const shown = facts.filter(({ label }) => !isTechnical(kind, label));
  const plain = bubble == null && text !== "";
  return (
    <>
      {plain && !(template && text === template.name) && (
        <p className={classes.text} data-mark={kind === "reaction" || undefined} dir="auto">
          {text}
        </p>
      )}
      {template && bubble == null && <p className={classes.quiet}>{t("templateUnknown", { name: template.name })}</p>}
      {kind === "reaction" && text === "" && <p className={classes.quiet}>{t("reactionGone")}</p>}
      {shown.length > 0 && <Facts kind={kind} facts={shown} />}
      {error && !outgoing && (
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
    </>
  );
}

/** One to three emoji and nothing else, which phones show large. */
function isEmoji(text: string): boolean {
  return /^(?:\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|\p{Emoji_Modifier})*\s*){1,3}$/u.test(
    text,
  );
}

/** Whether `value` is or was true. */
function useWasTrue(value: boolean): boolean {
  const [was, setWas] = useState(value);
  if (value && !was) setWas(true);
  return was || value;
}

/** What the channel says about the conversation, such as a new number. */
function Notice({ text, at }: { text: string; at: number }) {
  return (
    <article className={classes.notice}>
      {text} · <Instant at={at} format="time" />
    </article>
  );
}

/** Why a message did not arrive, or that this is not known, and what to do. */
interface FailureProps {
  error: Explanation | null | undefined;
  notSent: DeskError | null | undefined;
  state: string;
  send: string | null | undefined;
  isFreeText: boolean;
}

function Failure({ error, notSent, state, send, isFreeText }: FailureProps) {
  const { t } = useTranslation(["inbox", "errors"]);
  const status = useStatusText();
  const errorText = useErrorCodeText();
  const meaning =
    state === "unknown" ? t("outcomeUnknown") : error && (errorText(error.code)?.meaning ?? error.words?.[0]);
  const reason = notSent && t(`errors:${notSent.code}.title`, { ...notSent, nest: false });
  return (
    <div className={classes.failure}>
      <p>
        <strong>{status(notSent ? "notSent" : state)}</strong> {reason ?? meaning}{" "}
        {state === "refused" && send && error?.retry !== "no" && (
          <Link to="/sends/$send" params={{ send }}>
            {t("sendAgain")}
          </Link>
        )}
      </p>
      {(error || notSent) && (
        <details className={styles.unfold}>
          <summary>{t("whyFailed")}</summary>
          {error ? (
            <FailureExplained explanation={error} isFreeText={isFreeText} />
          ) : (
            notSent && <ErrorExplained error={notSent} />
          )}
        </details>
      )}
    </div>
  );
}
