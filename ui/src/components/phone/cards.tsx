import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Bubble } from "@/bindings/model";
import type { Media } from "./media";
import { type ButtonPosition, Buttons, MessageParts } from "./message-parts";
import classes from "./phone.module.css";
import { useSwipe } from "./use-swipe";

interface CardsProps {
  cards: Bubble[];
  media?: (Media | null | undefined)[] | undefined;
  /** The card to be shown, by its position. */
  shown?: number | undefined;
  onTap?: ((button: number, card: number) => void) | undefined;
  used: readonly ButtonPosition[];
}

/** A carousel: swiped, moved by its arrows, or by the arrow keys. */
export const Cards = memo(function Cards({ cards, media, shown, onTap, used }: CardsProps) {
  const { t } = useTranslation("phone");
  const track = useRef<HTMLUListElement>(null);
  const swipe = useSwipe(track);
  const [reached, setCurrent] = useState(0);
  const current = Math.min(reached, cards.length - 1);

  const show = (index: number) => {
    const next = Math.max(0, Math.min(cards.length - 1, index));
    const card = track.current?.children[next];
    if (track.current && card instanceof HTMLElement) {
      track.current.scrollTo({ left: card.offsetLeft - track.current.offsetLeft, behavior: "smooth" });
    }
    setCurrent(next);
  };

  const { length } = cards;
  const showCard = useEffectEvent((index: number) => show(index));
  // A card that was just added is selected before it is rendered.
  useEffect(() => {
    if (shown !== undefined && shown < length) showCard(shown);
  }, [shown, length]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    show(current + (event.key === "ArrowRight" ? 1 : -1));
  };

  /** A swipe ends on a card too. */
  const onScroll = () => {
    const list = track.current;
    const first = list?.firstElementChild;
    if (!list || !(first instanceof HTMLElement) || first.offsetWidth === 0) return;
    const atEnd = list.scrollLeft + list.clientWidth >= list.scrollWidth - 2;
    setCurrent(atEnd ? cards.length - 1 : Math.round(list.scrollLeft / (first.offsetWidth + GAP)));
  };

  return (
    <div role="group" className={classes.carousel} dir="ltr" aria-label={t("carousel")}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the scrolling list moves by arrow keys */}
      <ul ref={track} className={classes.cards} tabIndex={0} onKeyDown={onKeyDown} onScroll={onScroll} {...swipe}>
        {cards.map((card, index) => (
          <CardView
            key={index}
            card={card}
            media={media?.[index]}
            index={index}
            count={cards.length}
            onTap={onTap}
            used={used}
          />
        ))}
      </ul>
      <div className={classes.moves}>
        <ActionIcon
          size="sm"
          radius="xl"
          variant="default"
          disabled={current === 0}
          onClick={() => show(current - 1)}
          aria-label={t("previousCard")}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <span>
          {current + 1} / {cards.length}
        </span>
        <ActionIcon
          size="sm"
          radius="xl"
          variant="default"
          disabled={current === cards.length - 1}
          onClick={() => show(current + 1)}
          aria-label={t("nextCard")}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
    </div>
  );
});

interface CardViewProps extends Pick<CardsProps, "onTap" | "used"> {
  card: Bubble;
  media: Media | null | undefined;
  index: number;
  count: number;
}

/** Drawn again only when something in it changes: a carousel has up to ten. */
const CardView = memo(function CardView({ card, media, index, count, onTap, used }: CardViewProps) {
  const { t } = useTranslation("phone");
  return (
    <li
      className={classes.card}
      dir={card.right_to_left ? "rtl" : "ltr"}
      aria-label={t("card", { place: index + 1, count })}
    >
      <MessageParts bubble={card} media={media} />
      <Buttons
        buttons={card.buttons}
        visible={card.visible_buttons}
        card={index}
        used={used}
        onTap={onTap && ((button) => onTap(button, index))}
      />
    </li>
  );
});

/** Pixels between cards, as in the style sheet. */
const GAP = 8;
