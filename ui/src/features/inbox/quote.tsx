import { UnstyledButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RepliedMessage } from "@/bindings/app";
import { MessageKindIcon, useMessageKindText } from "@/components/message-kind";
import styles from "@/components/styles.module.css";
import classes from "./message.module.css";

interface QuoteProps {
  reply: RepliedMessage;
  /** Name of the contact. */
  name: string;
  onShow: (message: string) => boolean;
}

/** The message that another one answers; a click shows it. */
export function Quote({ reply: { message, send, excerpt, kind, outgoing }, name, onShow }: QuoteProps) {
  const { t } = useTranslation("inbox");
  const kindText = useMessageKindText();
  const navigate = useNavigate();
  const show = () => {
    // What is not loaded here is shown on its own page.
    if (!onShow(message) && send) void navigate({ to: "/sends/$send", params: { send } });
  };
  const content: ReactNode = (
    <>
      <strong>{outgoing ? t("you") : name}</strong>
      <span className={classes.quoted} dir="auto">
        {kind !== "" && kind !== "text" && kind !== "template" && <MessageKindIcon kind={kind} size={13} />}
        <span className={styles.truncate}>{excerpt || (kind === "" ? t("quoteGone") : kindText(kind))}</span>
      </span>
    </>
  );
  return (
    <blockquote className={classes.quote}>
      <UnstyledButton className={classes.quoteButton} title={t("showQuoted")} onClick={show}>
        {content}
      </UnstyledButton>
    </blockquote>
  );
}
