import { ActionIcon, Button, Indicator, useComputedColorScheme } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationMessage } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { BubbleView } from "@/components/phone/bubble-view";
import phone from "@/components/phone/phone.module.css";
import { Ticks } from "@/components/phone/ticks";
import { dayText, isSameDay } from "@/lib/days";
import { Message } from "./message";
import messageClasses from "./message.module.css";
import classes from "./thread.module.css";
import type { PendingReply } from "./use-reply";
import { useFoundMessage, useShownAtFirst, useThreadScroll } from "./use-thread-scroll";

interface ThreadProps {
  workspace: string;
  contact: string;
  /** Our number of the conversation. */
  ours: string | null | undefined;
  name: string;
  /** Oldest first. */
  messages: readonly ConversationMessage[];
  pending: readonly PendingReply[];
  /** Messages not looked at when it was opened. */
  unread: number;
  /** The message to show and mark. */
  found: string | undefined;
  /** Whether the messages are those of now, and not those of an earlier visit. */
  isCurrent: boolean;
  severalNumbers: boolean;
  hasOlder: boolean;
  isFetchingOlder: boolean;
  onOlder: () => void;
}

/** The messages by day. It opens at the first unread message, else at the newest. */
export function Thread(props: ThreadProps) {
  const { workspace, contact, ours, name, messages, pending, unread, found, isCurrent, severalNumbers } = props;
  const { hasOlder, isFetchingOlder, onOlder } = props;
  const { t, i18n } = useTranslation("inbox");
  const scheme = useComputedColorScheme("light");
  const id = useId();
  const firstUnread = useFirstUnread(isCurrent ? messages : undefined, unread);
  // What was sent has the channel's identifier only once that is known.
  const foundId = found && messages.find((message) => message.id === found || message.send === found)?.id;
  const newestPending = pending.at(-1);
  const newest = newestPending ? `pending ${newestPending.key}` : keyOf(messages.at(-1));
  const { scroller, onScroll, toEnd, isAway, hasNew } = useThreadScroll({
    newest,
    isSending: newestPending !== undefined,
    onStart: () => {
      if (hasOlder && !isFetchingOlder) onOlder();
    },
  });
  useShownAtFirst(firstUnread === undefined || found !== undefined ? undefined : `${id} unread`, newest);
  useFoundMessage({
    id: found === undefined ? undefined : `${id} ${foundId ?? found}`,
    newest,
    isLoaded: foundId !== undefined,
    hasOlder: hasOlder && !isFetchingOlder,
    onOlder,
  });
  const onShow = useCallback(
    (message: string) => {
      const element = document.getElementById(`${id} ${message}`);
      element?.scrollIntoView({ block: "center", behavior: "smooth" });
      element?.focus({ preventScroll: true });
      return element !== null;
    },
    [id],
  );
  return (
    <div className={`${phone.palette} ${classes.thread}`} data-scheme={scheme}>
      <div
        ref={scroller}
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={t("messages")}
        onScroll={onScroll}
      >
        <div>
          {hasOlder && (
            <div className={classes.older}>
              <Button variant="default" size="compact-sm" loading={isFetchingOlder} onClick={onOlder}>
                {t("older")}
              </Button>
            </div>
          )}
          <ol className={classes.messages}>
            {messages.map((message, index) => {
              const before = messages[index - 1];
              const key = keyOf(message);
              return [
                (before === undefined || !isSameDay(before.at, message.at)) && (
                  <li key={`day ${key}`} className={classes.day}>
                    <span>{dayText(message.at, i18n.language)}</span>
                  </li>
                ),
                key === firstUnread && (
                  <li key="unread" id={`${id} unread`} className={classes.firstUnread}>
                    <span>{t("unreadFrom")}</span>
                  </li>
                ),
                <li
                  key={key}
                  id={`${id} ${message.id}`}
                  tabIndex={-1}
                  data-outgoing={message.outgoing || undefined}
                  data-found={message.id === foundId || undefined}
                >
                  <Message
                    workspace={workspace}
                    contact={contact}
                    ours={ours}
                    name={name}
                    message={message}
                    withNumber={severalNumbers && message.number != null && message.number !== before?.number}
                    onShow={onShow}
                  />
                </li>,
              ];
            })}
            {pending.map((reply) => (
              <li key={`pending ${reply.key}`} data-outgoing>
                <Pending reply={reply} />
              </li>
            ))}
          </ol>
        </div>
      </div>
      {isAway && (
        <Indicator className={classes.toEnd} disabled={!hasNew} processing={false} offset={4}>
          <ActionIcon
            size={36}
            radius="xl"
            variant="default"
            aria-label={t(hasNew ? "toNew" : "toEnd")}
            onClick={toEnd}
          >
            <IconChevronDown size={20} />
          </ActionIcon>
        </Indicator>
      )}
    </div>
  );
}

/** A reply until the host has recorded it. */
function Pending({ reply: { text, at } }: { reply: PendingReply }) {
  const { t } = useTranslation("inbox");
  const body = [{ kind: "line" as const, runs: [{ text }] }];
  return (
    <article className={messageClasses.message} data-outgoing aria-label={t("ours")}>
      <BubbleView
        bubble={{ body, buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] }}
        foot={
          <>
            <Instant at={at} format="time" />
            <Ticks state="sending" />
          </>
        }
      />
    </article>
  );
}

function keyOf(message: ConversationMessage): string;
function keyOf(message: ConversationMessage | undefined): string | undefined;
function keyOf(message: ConversationMessage | undefined): string | undefined {
  return message && `${message.outgoing} ${message.id}`;
}

/** The oldest message that had not been looked at when the conversation was opened; it stays marked while it is open. */
function useFirstUnread(messages: readonly ConversationMessage[] | undefined, unread: number): string | undefined {
  const [opened] = useState(unread);
  const [first, setFirst] = useState<string>();
  const theirs = opened > 0 && first === undefined ? messages?.filter(({ outgoing }) => !outgoing) : undefined;
  const oldest = theirs?.[Math.max(0, theirs.length - opened)];
  if (oldest !== undefined) setFirst(keyOf(oldest));
  return first;
}
