// One message as the phone shows it. Everything shown was written by others: it only ever becomes text nodes, and
// addresses are shown, never loaded or followed.

import { IconAlertTriangle, IconCheck, IconChevronUp, IconClockHour4, IconList } from "@tabler/icons-react";
import { memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Bubble, BubbleButton } from "@/bindings/model";
import { ButtonIcon } from "./button-icon";
import { Cards } from "./cards";
import { FormattedText } from "./formatted-text";
import { MediaHeader } from "./media-header";
import classes from "./phone.module.css";

/** A file at hand that stands in a header. */
export interface Media {
  name?: string | undefined;
  /** A data URL. */
  thumbnail?: string | null | undefined;
}

/** A button by its position, from 0, and that of its card where it is on one. */
export interface ButtonPlace {
  card?: number | null;
  button: number;
}

interface BubbleViewProps {
  bubble: Bubble;
  media?: Media | undefined;
  cardMedia?: (Media | undefined)[] | undefined;
  /** The card to be shown, by its position. */
  current?: number | undefined;
  /** A tap on a button, by its position; without it buttons are only shown. */
  onTap?: ((button: number, card?: number) => void) | undefined;
  /** Buttons that were tapped and do nothing any more. */
  used?: readonly ButtonPlace[] | undefined;
  /** Above the message, such as what it answers. */
  head?: ReactNode;
  /** Time and status of a message that was sent; a preview shows an hour that means nothing. */
  foot?: ReactNode;
}

export function BubbleView({ bubble, media, cardMedia, current, onTap, used = NONE, head, foot }: BubbleViewProps) {
  const { t } = useTranslation("phone");
  const bare =
    !bubble.header && !bubble.offer && !bubble.footer && bubble.body.length === 0 && bubble.cards.length === 0;
  return (
    <div className={classes.message} dir={bubble.right_to_left ? "rtl" : "ltr"}>
      <div className={classes.bubble}>
        {head}
        <MessageParts bubble={bubble} media={media} />
        {bare && <p className={classes.nothing}>{t("empty")}</p>}
        <span className={classes.time} aria-hidden={foot === undefined || undefined}>
          {foot ?? "09:41"}
        </span>
        <Buttons buttons={bubble.buttons} visible={bubble.visible_buttons} onTap={onTap} used={used} />
      </div>
      {bubble.cards.length > 0 && (
        <Cards cards={bubble.cards} media={cardMedia} wanted={current} onTap={onTap} used={used} />
      )}
      {bubble.unknown.length > 0 && (
        <p className={classes.unknown}>
          <IconAlertTriangle size={14} aria-hidden /> {t("unknown", { types: bubble.unknown.join(", ") })}
        </p>
      )}
    </div>
  );
}

const NONE: readonly ButtonPlace[] = [];

/** What stands above the buttons, of a message or of a card. */
export const MessageParts = memo(function MessageParts({
  bubble,
  media,
}: {
  bubble: Bubble;
  media?: Media | undefined;
}) {
  return (
    <>
      {bubble.header?.kind === "media" && (
        <MediaHeader format={bubble.header.format} link={bubble.header.link} media={media} />
      )}
      {bubble.header?.kind === "text" && <p className={classes.heading}>{bubble.header.text}</p>}
      {bubble.offer != null && (
        <p className={classes.offer}>
          <IconClockHour4 size={18} aria-hidden />
          <span>{bubble.offer}</span>
        </p>
      )}
      {bubble.body.length > 0 && <FormattedText blocks={bubble.body} />}
      {bubble.footer && <p className={classes.footer}>{bubble.footer}</p>}
    </>
  );
});

interface ButtonsProps {
  buttons: BubbleButton[];
  /** From the next one on they are behind "See all options". */
  visible: number;
  /** The card they are on. */
  card?: number;
  onTap?: ((button: number) => void) | undefined;
  used: readonly ButtonPlace[];
}

export const Buttons = memo(function Buttons({ buttons, visible, card, onTap, used }: ButtonsProps) {
  const { t } = useTranslation("phone");
  const [open, setOpen] = useState(false);
  if (buttons.length === 0) return null;
  const hides = visible < buttons.length;
  const shown = hides && !open ? buttons.slice(0, visible) : buttons;
  return (
    <ul className={classes.buttons} aria-label={t("buttons")}>
      {shown.map((button, place) => {
        const isUsed = used.some((tapped) => tapped.button === place && (tapped.card ?? undefined) === card);
        return (
          <li key={place}>
            {onTap || isUsed ? (
              // Still a place for the focus once it is tapped: a button that is disabled would throw it away.
              <button
                type="button"
                className={classes.button}
                aria-disabled={isUsed || undefined}
                aria-label={isUsed ? t("tapped", { label: button.label }) : undefined}
                onClick={() => !isUsed && onTap?.(place)}
              >
                {isUsed ? (
                  <>
                    <IconCheck size={16} aria-hidden />
                    <span>{button.label}</span>
                  </>
                ) : (
                  <ButtonFace button={button} />
                )}
              </button>
            ) : (
              <span className={classes.button} title={button.target ?? undefined}>
                <ButtonFace button={button} />
              </span>
            )}
          </li>
        );
      })}
      {hides && (
        <li>
          <button type="button" className={classes.button} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? <IconChevronUp size={16} aria-hidden /> : <IconList size={16} aria-hidden />}
            <span>{t(open ? "fewerOptions" : "allOptions")}</span>
          </button>
        </li>
      )}
    </ul>
  );
});

function ButtonFace({ button }: { button: BubbleButton }) {
  return (
    <>
      <ButtonIcon kind={button.kind} />
      <span>{button.label === "" ? button.kind : button.label}</span>
    </>
  );
}
