import { ActionIcon, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneMessage } from "@/bindings/app";
import type { Bubble } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { BubbleView } from "@/components/phone/bubble-view";
import { PhoneFrame } from "@/components/phone/phone-frame";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import classes from "./sandbox-phone.module.css";

/** One phone: its messages as their owner sees them, buttons that can be tapped, and a field to answer. */
export function PhoneConversation({ recipient }: { recipient: string }) {
  const { t } = useTranslation("sandboxPhone");
  const messages = useQuery(queries.phoneMessages(recipient));
  const tap = useCommand("tap_button");
  const type = useCommand("type_text");
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const end = useRef<HTMLDivElement>(null);
  const count = messages.data?.length ?? 0;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "end" });
  }, [count]);

  const onTap = (message: PhoneMessage, bubble: Bubble) => (button: number, card?: number) => {
    const tapped = card === undefined ? bubble.buttons[button] : bubble.cards[card]?.buttons[button];
    if (!tapped) return;
    if (tapped.kind !== "QUICK_REPLY") {
      // On a real phone these lead out of the conversation and nothing comes back.
      setNote(
        tapped.target
          ? t("leadsTo", { label: tapped.label, target: tapped.target })
          : t("leadsOut", { label: tapped.label }),
      );
      return;
    }
    setNote("");
    tap.mutate({ recipient, message: message.id, button, card: card ?? null });
  };

  const send = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    if (typed === "") return;
    type.mutate({ recipient, text: typed }, { onSuccess: () => setText("") });
  };

  const error = tap.error ?? type.error ?? messages.error;
  return (
    <>
      <PhoneFrame
        label={t("phoneOf", { recipient })}
        title={t("business")}
        foot={
          <form className={classes.form} onSubmit={send}>
            <TextInput
              className={classes.field}
              radius="xl"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              placeholder={t("type")}
              aria-label={t("type")}
              autoComplete="off"
            />
            <ActionIcon
              type="submit"
              size={36}
              radius="xl"
              variant="filled"
              color="brand"
              loading={type.isPending}
              disabled={text.trim() === ""}
              aria-label={t("send")}
            >
              <IconSend size={17} />
            </ActionIcon>
          </form>
        }
      >
        {messages.isPending && <Loading rows={2} />}
        <ol className={classes.messages}>
          {messages.data?.map((message) => (
            <li key={message.id} data-mine={message.fromPhone || undefined}>
              <Message message={message} onTap={onTap} />
            </li>
          ))}
        </ol>
        <div ref={end} />
      </PhoneFrame>
      <p className={classes.note} role="status">
        {note}
      </p>
      {error && <ErrorNotice error={error} onRetry={messages.error ? () => void messages.refetch() : undefined} />}
    </>
  );
}

interface MessageProps {
  message: PhoneMessage;
  onTap: (message: PhoneMessage, bubble: Bubble) => (button: number, card?: number) => void;
}

function Message({ message, onTap }: MessageProps) {
  const { i18n } = useTranslation();
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(message.at);
  const at = new Date(message.at);
  if (message.bubble) {
    return <BubbleView bubble={message.bubble} onTap={onTap(message, message.bubble)} time={time} />;
  }
  return (
    <p className={classes.plain}>
      {message.text}
      <time dateTime={at.toISOString()} title={at.toLocaleString(i18n.language)}>
        {time}
      </time>
    </p>
  );
}
