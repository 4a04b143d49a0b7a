// The parts that a message and a card have in common. Each runs in the direction of its own text, as on a phone: a footer in
// English below a body in Arabic keeps its full stop at the end.

import { IconCheck, IconChevronUp, IconClockHour4, IconList } from "@tabler/icons-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Bubble, BubbleButton } from "@/bindings/model";
import { ButtonIcon, isKnownKind } from "./button-icon";
import { FormattedText } from "./formatted-text";
import type { Media } from "./media";
import { MediaHeader } from "./media-header";
import classes from "./phone.module.css";

/** A button by its position, from 0, and that of its card where it is on one. */
export interface ButtonPosition {
  card?: number | null;
  button: number;
}

/** The parts above the buttons of a message or a card. */
export const MessageParts = memo(function MessageParts({
  bubble,
  media,
}: {
  bubble: Bubble;
  media?: Media | null | undefined;
}) {
  return (
    <>
      {bubble.header?.kind === "media" && (
        <MediaHeader format={bubble.header.format} link={bubble.header.link} media={media} />
      )}
      {bubble.header?.kind === "text" && (
        <p className={classes.heading} dir="auto">
          {bubble.header.text}
        </p>
      )}
      {bubble.offer != null && (
        <p className={classes.offer}>
          <IconClockHour4 size={18} aria-hidden />
          <span dir="auto">{bubble.offer}</span>
        </p>
      )}
      {bubble.body.length > 0 && <FormattedText blocks={bubble.body} />}
      {bubble.footer && (
        <p className={classes.footer} dir="auto">
          {bubble.footer}
        </p>
      )}
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
  used: readonly ButtonPosition[];
}

export const Buttons = memo(function Buttons({ buttons, visible, card, onTap, used }: ButtonsProps) {
  const { t } = useTranslation("phone");
  const [open, setOpen] = useState(false);
  if (buttons.length === 0) return null;
  const hides = visible < buttons.length;
  const shown = hides && !open ? buttons.slice(0, visible) : buttons;
  return (
    <ul className={classes.buttons} aria-label={t("buttons")}>
      {shown.map((button, index) => {
        const isUsed = used.some((tapped) => tapped.button === index && (tapped.card ?? undefined) === card);
        return (
          <li key={index}>
            {onTap || isUsed ? (
              // Still a place for the focus once it is tapped: a button that is disabled would throw it away.
              <button
                type="button"
                className={classes.button}
                aria-disabled={isUsed || undefined}
                aria-label={isUsed ? t("tapped", { label: button.label }) : undefined}
                onClick={() => !isUsed && onTap?.(index)}
              >
                {isUsed ? (
                  <>
                    <IconCheck size={16} aria-hidden />
                    <span dir="auto">{button.label}</span>
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
  const { t } = useTranslation("phone");
  return (
    <>
      <ButtonIcon kind={button.kind} />
      {button.label === "" && isKnownKind(button.kind) ? (
        <span className={classes.unnamed}>{t("noLabel")}</span>
      ) : (
        <span dir="auto">{button.label === "" ? button.kind : button.label}</span>
      )}
    </>
  );
}
