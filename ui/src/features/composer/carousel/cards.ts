// Changes to the cards of a carousel, as plain functions on a draft. Files stand beside the template, in the order of the
// cards, and go wherever their card goes. What is not touched here, known or not, stays exactly as it came.

import type { Attachment, Draft } from "@/bindings/app";
import type { Button, Card, Component } from "@/bindings/model";
import { buttonsOf, setButtons } from "../buttons/buttons";
import { componentOf, type Json, type Parts, put, setHeaderFormat } from "../parts";

const NO_CARDS: Card[] = [];
/** Cards of a new carousel: the fewest that the channel takes. */
const FIRST_CARDS = 2;

export function cardsOf({ template }: Draft): Card[] {
  const cards = componentOf(template.components, "CAROUSEL")?.cards;
  return Array.isArray(cards) ? cards : NO_CARDS;
}

export function hasCarousel({ template }: Draft): boolean {
  return componentOf(template.components, "CAROUSEL") !== undefined;
}

/** The file of each card. */
export function cardFilesOf(draft: Draft): (Attachment | null)[] {
  return cardsOf(draft).map((_, position) => draft.cardFiles[position] ?? null);
}

function withCards(draft: Draft, cards: Card[], cardFiles: (Attachment | null)[]): Draft {
  const components = put(draft.template.components, "CAROUSEL", (before) => ({ ...before, type: "CAROUSEL", cards }));
  return { ...draft, cardFiles, template: { ...draft.template, components } };
}

/** Changes the components of every card. */
function eachCard(draft: Draft, edit: (parts: Parts, position: number) => Parts): Draft {
  const before = cardsOf(draft);
  const after = before.map((card, position) => {
    const components = edit(card.components, position);
    return components === card.components ? card : { ...card, components };
  });
  return after.every((card, position) => card === before[position]) ? draft : withCards(draft, after, draft.cardFiles);
}

function newCard(): Card {
  return {
    components: [
      { type: "HEADER", format: "IMAGE" },
      { type: "BODY", text: "" },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "" }] },
    ],
  };
}

/** A carousel beside everything that is there already. */
export function addCarousel(draft: Draft): Draft {
  return hasCarousel(draft) ? draft : withCards(draft, Array.from({ length: FIRST_CARDS }, newCard), []);
}

export function removeCarousel(draft: Draft): Draft {
  const components = put(draft.template.components, "CAROUSEL", () => undefined);
  return { ...draft, cardFiles: [], template: { ...draft.template, components } };
}

/** One more card made like the last, its texts empty; its buttons are the last card's where all cards share theirs. */
export function addCard(draft: Draft, sharesButtons: boolean): Draft {
  const cards = cardsOf(draft);
  const last = cards.at(-1);
  const card = last ? { ...last, components: last.components.map((it) => emptied(it, sharesButtons)) } : newCard();
  return withCards(draft, [...cards, card], [...cardFilesOf(draft), null]);
}

function emptied(component: Component, keepsButtons: boolean): Component {
  const copy = structuredClone(component);
  switch (copy.type) {
    case "HEADER":
    case "BODY":
      delete copy.example;
      return typeof copy.text === "string" ? { ...copy, text: "" } : copy;
    case "BUTTONS":
      return keepsButtons ? copy : { ...copy, buttons: copy.buttons.map(emptyButton) };
    default:
      return copy;
  }
}

function emptyButton(button: Button): Button {
  switch (button.type) {
    case "QUICK_REPLY":
      return { ...button, text: "" };
    case "URL": {
      const { example: _, ...rest } = button;
      return { ...rest, text: "", url: "" };
    }
    case "PHONE_NUMBER":
      return { ...button, text: "", phone_number: "" };
    default:
      // Labels that the channel fixes, and what nobody knows, are the same on every card.
      return button;
  }
}

export function duplicateCard(draft: Draft, position: number): Draft {
  const cards = [...cardsOf(draft)];
  const files = cardFilesOf(draft);
  const card = cards[position];
  if (!card) return draft;
  cards.splice(position + 1, 0, structuredClone(card));
  files.splice(position + 1, 0, files[position] ?? null);
  return withCards(draft, cards, files);
}

export function removeCard(draft: Draft, position: number): Draft {
  const others = <T>(list: T[]) => list.filter((_, index) => index !== position);
  return withCards(draft, others(cardsOf(draft)), others(cardFilesOf(draft)));
}

export function moveCard(draft: Draft, from: number, to: number): Draft {
  const cards = cardsOf(draft);
  if (from === to || !cards[from] || !cards[to]) return draft;
  return withCards(draft, moved(cards, from, to), moved(cardFilesOf(draft), from, to));
}

function moved<T>(list: T[], from: number, to: number): T[] {
  const after = list.filter((_, index) => index !== from);
  after.splice(to, 0, ...list.slice(from, from + 1));
  return after;
}

/** The format that the headers of all cards share; `undefined` where they differ or a card has none. */
export function sharedFormat(cards: Card[]): string | undefined {
  const [first, ...others] = cards.map((card) => componentOf(card.components, "HEADER")?.format);
  return others.every((format) => format === first) ? first : undefined;
}

/** The kind of header of every card. A file of another kind would only be refused, so files go. */
export function setCardFormat(draft: Draft, format: string): Draft {
  const formats = cardsOf(draft).map((card) => componentOf(card.components, "HEADER")?.format);
  const after = eachCard(draft, (parts, position) =>
    formats[position] === format ? parts : setHeaderFormat(parts, format),
  );
  return {
    ...after,
    cardFiles: cardFilesOf(draft).map((file, position) => (formats[position] === format ? file : null)),
  };
}

/** Puts `files` on the card at `position` and on those after it; the first one decides the kind while no card has a file. */
export function setFilesFrom(draft: Draft, position: number, files: Attachment[]): Draft {
  const [first] = files;
  if (!first) return draft;
  const format = first.mime.startsWith("video/") ? "VIDEO" : "IMAGE";
  const empty = cardFilesOf(draft).every((file) => file === null);
  const fitting = empty && sharedFormat(cardsOf(draft)) !== format ? setCardFormat(draft, format) : draft;
  return { ...fitting, cardFiles: cardFilesOf(fitting).map((file, index) => files[index - position] ?? file) };
}

/** A text on every card, or on none: where one card has it, all must. */
export function setCardBodies(draft: Draft, on: boolean): Draft {
  return eachCard(draft, (parts) => {
    if ((componentOf(parts, "BODY") !== undefined) === on) return parts;
    return put(parts, "BODY", () => (on ? { type: "BODY", text: "" } : undefined));
  });
}

/** Whether all cards have the same types of buttons in the same order. */
export function alike(cards: Card[]): boolean {
  return sameOnAll(cards, ({ components }) => buttonsOf(components).map(({ type }) => type));
}

/** Whether all cards have the same buttons, labels and addresses included. */
export function sameButtons(cards: Card[]): boolean {
  return sameOnAll(cards, ({ components }) => buttonsOf(components).map(inOrder));
}

function sameOnAll(cards: Card[], part: (card: Card) => unknown): boolean {
  const [first, ...others] = cards.map((card) => JSON.stringify(part(card)));
  return others.every((other) => other === first);
}

/** The same object whatever the order in which its keys came. */
const inOrder = (button: Button) => Object.entries(button as Json).sort(([a], [b]) => (a < b ? -1 : 1));

/** Changes the buttons of a card, and of all others where `everywhere`. */
export function editButtons(draft: Draft, position: number, edit: (parts: Parts) => Parts, everywhere: boolean): Draft {
  return eachCard(draft, (parts, index) => (everywhere || index === position ? edit(parts) : parts));
}

/** Gives every card the buttons of the one at `position`. */
export function spreadButtons(draft: Draft, position: number): Draft {
  const from = cardsOf(draft)[position];
  if (!from) return draft;
  const buttons = buttonsOf(from.components);
  return eachCard(draft, (parts, index) => (index === position ? parts : setButtons(parts, structuredClone(buttons))));
}

/** Files that belong to no card any more, such as after cards were removed in the JSON. */
export function strayFiles(draft: Draft): Attachment[] {
  return draft.cardFiles.slice(cardsOf(draft).length).filter((file) => file !== null);
}

export function removeStrayFiles(draft: Draft): Draft {
  return { ...draft, cardFiles: cardFilesOf(draft) };
}
