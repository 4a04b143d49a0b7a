import { Button, UnstyledButton } from "@mantine/core";
import { IconExternalLink, IconFile, IconMessages, IconMusic, IconPhoto, IconVideo } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationMessage } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { StatusBadge } from "@/components/status-badge";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import classes from "./inbox.module.css";

interface ConversationProps {
  workspace: string;
  contact: string;
  name: string;
}

/** Their messages and our sends, the newest at the bottom. */
export function Conversation({ workspace, contact, name }: ConversationProps) {
  const { t } = useTranslation("inbox");
  const conversation = useInfiniteQuery(queries.conversation(workspace, contact));
  const messages = useMemo(
    () => conversation.data?.pages.flatMap((page) => page.messages).toReversed(),
    [conversation.data],
  );
  return (
    <section className={classes.conversation} aria-label={t("conversation", { name })}>
      <div className={classes.head}>
        <h2>{name}</h2>
        {name !== contact && <span>{contact}</span>}
      </div>
      {conversation.error && <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />}
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
                  onClick={() => void conversation.fetchNextPage()}
                >
                  {t("older")}
                </Button>
              </div>
            )}
            <ol className={classes.messages}>
              {messages.map((message) => (
                <li key={`${message.outgoing} ${message.id}`} data-outgoing={message.outgoing || undefined}>
                  <Message message={message} />
                </li>
              ))}
            </ol>
          </div>
        </div>
      )}
    </section>
  );
}

function Message({ message }: { message: ConversationMessage }) {
  const { t, i18n } = useTranslation("inbox");
  const { outgoing, kind, text, at, state, event } = message;
  const known = i18n.exists(`kind.${kind}`, { ns: "inbox" });
  const word = known ? t(`kind.${kind}` as "kind.image") : kind;
  return (
    <article className={classes.message} aria-label={t(outgoing ? "ours" : "theirs")}>
      {kind !== "text" && <span className={classes.kind}>{word}</span>}
      {hasMedia(message) && <Media message={message} word={word} />}
      {text !== "" && <p className={classes.text}>{text}</p>}
      <footer className={classes.foot}>
        {event && (
          <Link to="/activity" search={{ event }}>
            {t("toEvent")}
          </Link>
        )}
        {state && <StatusBadge status={state} size="xs" />}
        <Instant at={at} format="moment" />
      </footer>
    </article>
  );
}

const MEDIA = new Set(["image", "video", "audio", "document", "sticker"]);
const ICONS: Record<string, typeof IconFile> = {
  image: IconPhoto,
  sticker: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
};

function hasMedia({ kind, mediaUrl }: ConversationMessage): boolean {
  return MEDIA.has(kind) || Boolean(mediaUrl);
}

/** Media by its name and a link: nothing is loaded from elsewhere into the window. */
function Media({ message: { kind, fileName, mediaUrl }, word }: { message: ConversationMessage; word: string }) {
  const { t } = useTranslation("inbox");
  const openLink = useCommand("open_link");
  const Icon = ICONS[kind] ?? IconFile;
  const name = fileName || lastSegment(mediaUrl) || word;
  if (!mediaUrl) {
    return (
      <span className={classes.media}>
        <Icon size={20} stroke={1.6} aria-hidden />
        <span>
          {name}
          <small>{t("noLink")}</small>
        </span>
      </span>
    );
  }
  return (
    <>
      <UnstyledButton
        className={classes.media}
        title={mediaUrl}
        aria-label={t("openMedia", { name })}
        onClick={() => openLink.mutate({ url: mediaUrl })}
      >
        <Icon size={20} stroke={1.6} aria-hidden />
        <span>{name}</span>
        <IconExternalLink size={15} stroke={1.6} aria-hidden />
      </UnstyledButton>
      {openLink.error && <ErrorNotice error={openLink.error} />}
    </>
  );
}

/** The file's name in an address, where it has one. */
function lastSegment(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const name = new URL(address).pathname.split("/").at(-1);
  if (!name) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
