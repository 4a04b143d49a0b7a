import { Button } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationMessage } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { dayText, isSameDay } from "@/lib/days";
import { keys } from "@/lib/ipc/keys";
import classes from "./inbox.module.css";
import { Message } from "./message";
import { inboxQueries } from "./queries";
import { WindowNote } from "./window-note";

interface ConversationProps {
  workspace: string;
  contact: string;
  name: string;
  /** Messages not looked at when it is opened. */
  unread: number;
  severalNumbers: boolean;
}

/** Their messages and our sends, the newest at the bottom. */
export function Conversation({ workspace, contact, name, unread, severalNumbers }: ConversationProps) {
  const { t } = useTranslation("inbox");
  const conversation = useInfiniteQuery(inboxQueries.conversation(workspace, contact));
  const { data, dataUpdatedAt, error, isFetchNextPageError, fetchNextPage } = conversation;
  const messages = data?.pages.flatMap((page) => page.messages).toReversed();
  const firstUnread = useFirstUnread(messages, unread);

  // Looking at it has marked it as read.
  const client = useQueryClient();
  useEffect(() => {
    if (dataUpdatedAt > 0 && unread > 0) void client.invalidateQueries({ queryKey: keys.contacts(workspace) });
  }, [client, workspace, dataUpdatedAt, unread]);

  const window = data?.pages[0]?.window;
  return (
    <section className={classes.conversation} aria-label={t("conversation", { name })}>
      <div className={classes.head}>
        <h2>{name}</h2>
        {name !== contact && <span>{contact}</span>}
      </div>
      {error && (
        <ErrorNotice
          error={error}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : conversation.refetch())}
        />
      )}
      {conversation.isPending && <Loading rows={4} />}
      {messages?.length === 0 && <Empty Icon={IconMessages} title={t("nothing")} />}
      {messages !== undefined && messages.length > 0 && (
        // Turned around, so that it opens at its end and stays there while messages come in.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <div className={classes.scroller} tabIndex={0} role="log" aria-label={t("messages")}>
          <div>
            {conversation.hasNextPage && (
              <div className={classes.older}>
                <Button
                  variant="default"
                  loading={conversation.isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {t("older")}
                </Button>
              </div>
            )}
            <ol className={classes.messages}>
              {messages.map((message, index) => (
                <Entry
                  key={keyOf(message)}
                  workspace={workspace}
                  message={message}
                  before={messages[index - 1]}
                  isFirstUnread={keyOf(message) === firstUnread}
                  severalNumbers={severalNumbers}
                />
              ))}
            </ol>
          </div>
        </div>
      )}
      {window && <WindowNote contact={contact} window={window} />}
    </section>
  );
}

function keyOf({ outgoing, id }: ConversationMessage): string {
  return `${outgoing} ${id}`;
}

/** The oldest message that had not been looked at when the conversation was opened; it stays marked while it is open. */
function useFirstUnread(messages: ConversationMessage[] | undefined, unread: number): string | undefined {
  const [opened] = useState(unread);
  const [first, setFirst] = useState<string>();
  const theirs = opened > 0 && first === undefined ? messages?.filter(({ outgoing }) => !outgoing) : undefined;
  const oldest = theirs?.[Math.max(0, theirs.length - opened)];
  if (oldest !== undefined) setFirst(keyOf(oldest));
  return first;
}

interface EntryProps {
  workspace: string;
  message: ConversationMessage;
  before: ConversationMessage | undefined;
  isFirstUnread: boolean;
  severalNumbers: boolean;
}

/** A message, after what parts it from the one before. */
function Entry({ workspace, message, before, isFirstUnread, severalNumbers }: EntryProps) {
  const { t, i18n } = useTranslation("inbox");
  const { at, outgoing, number } = message;
  return (
    <>
      {(before === undefined || !isSameDay(before.at, at)) && (
        <li className={classes.day}>
          <span>{dayText(at, i18n.language)}</span>
        </li>
      )}
      {isFirstUnread && (
        <li className={classes.firstUnread}>
          <span>{t("unreadFrom")}</span>
        </li>
      )}
      <li data-outgoing={outgoing || undefined}>
        <Message
          workspace={workspace}
          message={message}
          withNumber={severalNumbers && number != null && number !== before?.number}
        />
      </li>
    </>
  );
}
