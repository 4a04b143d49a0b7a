// One message as the phone shows it. Everything shown was written by others: it only ever becomes text nodes, and
// addresses are shown, never loaded or followed.

import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Block, Bubble } from "@/bindings/model";
import { Cards } from "./cards";
import type { Media } from "./media";
import { type ButtonPosition, Buttons, MessageParts } from "./message-parts";
import classes from "./phone.module.css";

interface BubbleViewProps {
  bubble: Bubble;
  media?: Media | null | undefined;
  cardMedia?: (Media | null | undefined)[] | undefined;
  /** The card to be shown, by its position. */
  current?: number | undefined;
  /** A tap on a button, by its position; without it buttons are only shown. */
  onTap?: ((button: number, card?: number) => void) | undefined;
  /** Buttons that were tapped and do nothing any more. */
  used?: readonly ButtonPosition[] | undefined;
  /** Above the message, such as what it answers. */
  head?: ReactNode;
  /** Below the text: content that is no part of a template, such as a contact card. */
  children?: ReactNode;
  /** Time and status of a message that was sent; a preview shows an hour that means nothing. */
  foot?: ReactNode;
}

export function BubbleView({ bubble, media, cardMedia, current, onTap, used = NONE, ...parts }: BubbleViewProps) {
  const { t, i18n } = useTranslation("phone");
  const word = (type: string) =>
    i18n.exists(`part.${type}`, { ns: "phone" }) ? t(`part.${type}` as "part.CALL_PERMISSION_REQUEST") : type;
  const { head, children, foot } = parts;
  const bare =
    children === undefined &&
    !bubble.header &&
    !bubble.offer &&
    !bubble.footer &&
    bubble.body.length === 0 &&
    bubble.cards.length === 0;
  return (
    <div className={classes.message} dir={bubble.right_to_left ? "rtl" : "ltr"}>
      <div
        className={classes.bubble}
        data-wide={bubble.header?.kind === "media" || bubble.body.some(isWide) || undefined}
      >
        {head}
        <MessageParts bubble={bubble} media={media} />
        {children}
        {bare && <p className={classes.nothing}>{t("empty")}</p>}
        <span className={classes.time} dir="ltr" aria-hidden={foot === undefined || undefined}>
          {foot ?? "09:41"}
        </span>
        <Buttons buttons={bubble.buttons} visible={bubble.visible_buttons} onTap={onTap} used={used} />
      </div>
      {bubble.cards.length > 0 && (
        <Cards cards={bubble.cards} media={cardMedia} shown={current} onTap={onTap} used={used} />
      )}
      {bubble.unknown.length > 0 && (
        <p className={classes.unknown}>
          <IconAlertTriangle size={14} aria-hidden /> {t("unknown", { types: bubble.unknown.map(word).join(", ") })}
        </p>
      )}
    </div>
  );
}

/** UTF-16 units of a line that fills every bubble, even if it is all narrow letters. */
const WIDE_LINE = 160;

/** Whether a line makes the bubble as wide as possible: then it need not be laid out to find its width. */
function isWide(block: Block): boolean {
  if (block.kind !== "line") return false;
  return block.runs.reduce((length, { text }) => length + text.length, 0) >= WIDE_LINE;
}

const NONE: readonly ButtonPosition[] = [];
