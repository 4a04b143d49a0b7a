import { IconAlertCircleFilled, IconPhoto, IconShoppingBag, IconVideo } from "@tabler/icons-react";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useKeysOf } from "../list-keys";
import { componentOf } from "../parts";
import { Reorder, useReorderItem } from "../reorder";
import { type ComposerState, useComposer, useComposerActions, useComposerStore } from "../store";
import { cardsOf, moveCard } from "./cards";
import classes from "./carousel.module.css";

interface CardStripProps {
  /** The card whose fields are shown. */
  open: number;
  /** JSON pointer to the carousel. */
  path: string;
  /** Beside the cards. */
  aside: ReactNode;
}

const cardsIn = ({ draft }: ComposerState) => cardsOf(draft);

/** All cards in their order: one is opened by a click or the arrow keys, and moved by dragging it or with Space. */
export function CardStrip({ open, path, aside }: CardStripProps) {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const keys = useKeysOf(cardsIn);
  const list = useRef<HTMLDivElement>(null);

  const move = (from: number, to: number) => {
    store.getState().update((draft) => moveCard(draft, from, to));
    store.getState().openCard(to);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const last = keys.length - 1;
    // Past either end it goes on at the other, as tabs do.
    const right = open < last ? open + 1 : 0;
    const left = open > 0 ? open - 1 : last;
    const next = { ArrowRight: right, ArrowLeft: left, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    store.getState().openCard(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };

  return (
    <div className={classes.strip}>
      <Reorder
        keys={keys}
        direction="horizontal"
        nameOf={(index) => t("cards.card", { number: index + 1 })}
        onMove={move}
      >
        <div ref={list} className={classes.tabs} role="tablist" aria-label={t("cards.list")}>
          {keys.map((key, index) => (
            <CardTab
              key={key}
              id={key}
              index={index}
              path={`${path}/cards/${index}`}
              selected={index === open}
              onKeyDown={onKeyDown}
            />
          ))}
        </div>
      </Reorder>
      {aside}
    </div>
  );
}

interface CardTabProps {
  id: string;
  index: number;
  path: string;
  selected: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

function CardTab({ id, index, path, selected, onKeyDown }: CardTabProps) {
  const { t } = useTranslation("composer");
  const { openCard } = useComposerActions();
  const faulty = useComposer((state) => hasErrors(state, path));
  const { item, handle, dragging } = useReorderItem(id);
  const {
    ref: setHandle,
    onKeyDown: takeUp,
    ...grip
  } = handle as typeof handle & { onKeyDown?: (event: KeyboardEvent) => void };
  const tab = useRef<HTMLButtonElement>(null);
  const mark = `${id}-mark`;

  useEffect(() => {
    // Only the strip itself moves: the form stays where the person is.
    if (selected && tab.current) revealIn(tab.current.parentElement, tab.current);
  }, [selected]);

  return (
    <button
      {...grip}
      ref={(node) => {
        tab.current = node;
        item.ref(node);
        setHandle(node);
      }}
      type="button"
      role="tab"
      id={`${PANEL}-${index}`}
      className={classes.tab}
      style={item.style}
      data-dragging={item["data-dragging"]}
      aria-selected={selected}
      aria-controls={selected ? PANEL : undefined}
      aria-label={t("cards.card", { number: index + 1 })}
      aria-describedby={[faulty && mark, handle["aria-describedby"]].filter(Boolean).join(" ")}
      tabIndex={selected ? 0 : -1}
      onClick={() => openCard(index)}
      onKeyDown={(event) => {
        takeUp?.(event);
        if (!dragging && !event.defaultPrevented) onKeyDown(event);
      }}
    >
      <CardPicture index={index} />
      <span className={classes.number}>{index + 1}</span>
      {faulty && (
        <span id={mark} className={classes.mark} role="img" aria-label={t("cards.faulty")}>
          <IconAlertCircleFilled size={16} />
        </span>
      )}
    </button>
  );
}

function revealIn(strip: HTMLElement | null, item: HTMLElement): void {
  if (!strip) return;
  const frame = strip.getBoundingClientRect();
  const box = item.getBoundingClientRect();
  if (box.left < frame.left) strip.scrollLeft -= frame.left - box.left;
  else if (box.right > frame.right) strip.scrollLeft += box.right - frame.right;
}

/** Names the panel of the open card for its tab; there is one composer on a page. */
export const PANEL = "card-panel";

/** Whether a field of the card shows an error. */
function hasErrors({ inspection, refusals, attempted, touched }: ComposerState, path: string): boolean {
  const within = (other: string) => other === path || other.startsWith(`${path}/`);
  if (refusals.some((finding) => within(finding.path))) return true;
  if (!attempted && ![...touched].some(within)) return false;
  return Boolean(inspection?.findings.some(({ severity, path: at }) => severity === "error" && within(at)));
}

const CardPicture = memo(function CardPicture({ index }: { index: number }) {
  const file = useComposer(({ draft }) => draft.cardFiles[index]);
  const format = useComposer((state) => componentOf(cardsIn(state)[index]?.components ?? [], "HEADER")?.format);
  const Icon = format === "VIDEO" ? IconVideo : format === "PRODUCT" ? IconShoppingBag : IconPhoto;
  return file?.thumbnail ? (
    <img src={file.thumbnail} alt="" draggable={false} />
  ) : (
    <Icon size={20} stroke={1.5} aria-hidden />
  );
});
