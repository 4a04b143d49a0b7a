import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconMail, IconMessageCheck, IconMessages, IconUser } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContactRow, ConversationPage } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { showUndo } from "@/components/undo-toast";
import { useCommand } from "@/lib/ipc/mutations";
import { useIsAttended } from "@/lib/window-attention";
import { initialsOf } from "./contact-list";
import classes from "./inbox.module.css";
import { MarketingNote } from "./marketing-note";
import { PersonButton, PersonNote } from "./person";
import { inboxQueries } from "./queries";
import { ReplyBox } from "./reply-box";
import { keepDraft, moveDraft, numberOfDraft } from "./reply-drafts";
import { Thread } from "./thread";
import { stillPending, useReply } from "./use-reply";

interface ConversationProps {
  workspace: string;
  contact: string;
  /** The contact in the list, where it is in it. */
  listed: ContactRow | undefined;
  /** Messages not looked at when it is opened. */
  unread: number;
  /** A message that a search found. */
  found: string | undefined;
  severalNumbers: boolean;
  /** The number of ours whose conversations are listed, where it is one of several. */
  listedNumber: string | undefined;
  onClose: () => void;
  /** Closes it as well, because what is open is read. */
  onUnread: () => void;
  /** Whether it takes the place of the list, as a narrow window has no room for both. */
  isAlone: boolean;
  /** The person has another identifier now, which is where replies go. */
  onMoved: (contact: string) => void;
}

/** Their messages and our sends, the newest at the bottom. */
export function Conversation(props: ConversationProps) {
  const {
    workspace,
    contact,
    listed,
    unread,
    found,
    severalNumbers,
    listedNumber,
    onClose,
    onUnread,
    isAlone,
    onMoved,
  } = props;
  const { t } = useTranslation("inbox");
  const conversation = useInfiniteQuery(inboxQueries.conversation(workspace, contact, listedNumber));
  const { data, error, isFetchNextPageError, fetchNextPage } = conversation;
  const messages = useMemo(() => data?.pages.flatMap((page) => page.messages).toReversed(), [data]);

  const newest = data?.pages[0];
  const isMoved = useMoving(workspace, contact, newest?.contact, onMoved);
  useReading(workspace, contact, isMoved ? null : newest?.readUntil, conversation.dataUpdatedAt);

  const knownName = newest?.name || listed?.name || "";
  const formatted = newest?.formatted ?? listed?.formatted ?? contact;
  const name = knownName || formatted;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The list that had the focus is gone. The reply field may have taken it.
    if (isAlone && !section.current?.contains(document.activeElement)) heading.current?.focus();
  }, [isAlone]);
  const username = newest?.username ? `@${newest.username}` : undefined;
  // The address book has people by their numbers.
  const isInBook = formatted.startsWith("+");
  return (
    <section ref={section} className={classes.conversation} aria-label={t("conversation", { name })}>
      <div className={classes.head}>
        {isAlone && (
          <Tooltip label={t("backToContacts")}>
            <ActionIcon aria-label={t("backToContacts")} onClick={onClose}>
              <IconArrowLeft size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        )}
        <span className={classes.avatar} aria-hidden>
          {initialsOf(knownName) || <IconUser size={20} stroke={1.6} />}
        </span>
        <div className={styles.grow}>
          <h2 ref={heading} tabIndex={-1}>
            {name}
          </h2>
          {(knownName !== "" || username !== undefined) && (
            <span>{[knownName && formatted, username].filter(Boolean).join(" · ")}</span>
          )}
          {isInBook && <PersonNote workspace={workspace} number={formatted} name={knownName} />}
        </div>
        {newest && <NoAnswer workspace={workspace} contact={contact} name={name} page={newest} />}
        {messages?.some(({ outgoing }) => !outgoing) && (
          <Tooltip label={t("markUnread")}>
            <ActionIcon aria-label={t("markUnread")} onClick={onUnread}>
              <IconMail size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        )}
        {isInBook && <PersonButton workspace={workspace} number={formatted} name={knownName} />}
        {newest && !isMoved && (
          <MarketingNote
            workspace={workspace}
            contact={contact}
            name={name}
            number={newest.marketingNumber}
            stop={newest.marketingStop}
            others={newest.otherStops}
            accounts={newest.marketingAccounts}
          />
        )}
      </div>
      {error && (
        <ErrorNotice
          error={error}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : conversation.refetch())}
        />
      )}
      {(conversation.isPending || isMoved) && <Loading rows={4} />}
      {messages && newest && !isMoved && (
        <Exchange
          workspace={workspace}
          contact={contact}
          name={name}
          newest={newest}
          messages={messages}
          unread={unread}
          found={found}
          severalNumbers={severalNumbers}
          listedNumber={listedNumber}
          conversation={conversation}
        />
      )}
    </section>
  );
}

interface NoAnswerProps extends Pick<ConversationProps, "workspace" | "contact"> {
  name: string;
  page: ConversationPage;
}

/** Takes the person out of the unanswered ones until they write again, with a way to take that back. */
function NoAnswer({ workspace, contact, name, page }: NoAnswerProps) {
  const { t } = useTranslation("inbox");
  const { mutate } = useCommand("set_no_answer_until");
  const [newest] = page.unanswered;
  if (newest === undefined) return null;
  const set = (until: number | null, onSuccess?: () => void) =>
    mutate({ workspace, contact, until }, { onError: showFailure, ...(onSuccess && { onSuccess }) });
  const before = page.noAnswerUntil ?? null;
  const done = () =>
    showUndo({
      message: t("noAnswer.done", { name, nest: false }),
      // The field of the reply is in the usual corner.
      position: "top-center",
      undo: () => set(before),
    });
  return (
    <Tooltip label={t("noAnswer.button")}>
      <ActionIcon aria-label={t("noAnswer.button")} onClick={() => set(newest.at, done)}>
        <IconMessageCheck size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Follows a person from an identifier that they had before. Returns whether `contact` is one. */
function useMoving(workspace: string, contact: string, current: string | undefined, onMoved: (to: string) => void) {
  const isMoved = current !== undefined && current !== contact;
  const move = useEffectEvent((to: string) => {
    moveDraft(workspace, contact, to);
    onMoved(to);
  });
  useEffect(() => {
    if (isMoved) move(current);
  }, [isMoved, current]);
  return isMoved;
}

/**
 * Marks what is shown as read once a person can see it: once, however often the window gets the focus. What failed is
 * tried again with the next focus or the next answer (`updatedAt`).
 */
function useReading(workspace: string, contact: string, until: ConversationPage["readUntil"], updatedAt: number) {
  const isAttended = useIsAttended();
  const { mutate } = useCommand("mark_read");
  const sent = useRef<typeof until>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer is another attempt
  useEffect(() => {
    if (!isAttended || until == null || sent.current === until) return;
    sent.current = until;
    const onError = () => {
      sent.current = null;
    };
    mutate({ workspace, contact, until }, { onError });
  }, [isAttended, workspace, contact, until, updatedAt, mutate]);
}

interface ExchangeProps
  extends Pick<ConversationProps, "workspace" | "contact" | "unread" | "found" | "severalNumbers" | "listedNumber"> {
  name: string;
  /** The page with the newest messages. */
  newest: ConversationPage;
  messages: ConversationPage["messages"];
  conversation: {
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchedAfterMount: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** The messages, and the reply that is being written. */
function Exchange(props: ExchangeProps) {
  const { workspace, contact, name, newest, messages, unread, found, severalNumbers, listedNumber, conversation } =
    props;
  const { t } = useTranslation("inbox");
  const [chosen, setChosen] = useState<string>();
  // A reply leaves from the number for which it was begun, also if the person writes to another one meanwhile.
  const [begunFor, setBegunFor] = useState(() => numberOfDraft(workspace, contact));
  const wroteTo = newest.number ?? "";
  const number = chosen ?? begunFor ?? listedNumber ?? wroteTo;
  const { canReply } = newest;
  const other = useQuery({
    ...inboxQueries.window({ workspace, contact, number }),
    enabled: canReply && number !== wroteTo,
  });
  // The last answer about another number may be of before they wrote to it. Until it is known whether that one may answer, it
  // may not, unless the person chose it or writes from it and keeps the field.
  const isPicked = chosen !== undefined || begunFor !== undefined;
  const unknown = isPicked ? newest.window : { clockOffset: newest.window.clockOffset };
  const window = number === wroteTo ? newest.window : (other.data ?? unknown);
  const reply = useReply({ workspace, contact, number }, canReply, messages);
  const isBegun = reply.text !== "";
  // What follows the first line belongs to it.
  const keepNumber = useEffectEvent(() => setBegunFor(number));
  useEffect(() => {
    if (isBegun) keepNumber();
  }, [isBegun]);
  const pending = stillPending(reply.pending, messages);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = conversation;
  return (
    <>
      {messages.length === 0 && pending.length === 0 ? (
        <Empty Icon={IconMessages} title={t("nothing")} />
      ) : (
        <Thread
          workspace={workspace}
          contact={contact}
          ours={newest.number}
          name={name}
          messages={messages}
          pending={pending}
          unread={unread}
          found={found}
          isCurrent={!conversation.isFetching || conversation.isFetchedAfterMount}
          severalNumbers={severalNumbers}
          hasOlder={hasNextPage}
          isFetchingOlder={isFetchingNextPage}
          onOlder={() => {
            if (!isFetchNextPageError) void fetchNextPage();
          }}
        />
      )}
      <ReplyBox
        workspace={workspace}
        contact={contact}
        name={name}
        window={canReply ? window : undefined}
        reply={reply}
        number={number}
        wroteTo={chosen === undefined && wroteTo !== "" ? wroteTo : number}
        unanswered={newest.unanswered}
        onNumber={(next) => {
          setChosen(next);
          keepDraft(workspace, contact, reply.text, next);
        }}
      />
    </>
  );
}
