// The list of components that fields work on: the message's own, or those of one card. The same fields serve both.

import { createContext, type ReactNode, use, useMemo } from "react";
import type { Attachment, Draft } from "@/bindings/app";
import type { Component } from "@/bindings/model";
import { componentOf, indexOfKind, type Kind, type Parts } from "./parts";
import { type ComposerState, useComposer, useComposerStore } from "./store";

interface CardScope {
  /** Which card of the carousel; absent for the message itself. */
  card: number | undefined;
}

const CardContext = createContext<CardScope>({ card: undefined });

export function CardParts({ card, children }: { card: number; children: ReactNode }) {
  const value = { card };
  return <CardContext value={value}>{children}</CardContext>;
}

const NO_PARTS: Parts = [];

export function partsOf({ draft }: ComposerState, card: number | undefined): Parts {
  if (card === undefined) return draft.template.components;
  return componentOf(draft.template.components, "CAROUSEL")?.cards[card]?.components ?? NO_PARTS;
}

function withParts(draft: Draft, card: number | undefined, edit: (parts: Parts) => Parts): Draft {
  const { components } = draft.template;
  if (card === undefined) {
    const after = edit(components);
    return after === components ? draft : { ...draft, template: { ...draft.template, components: after } };
  }
  const position = indexOfKind(components, "CAROUSEL");
  const carousel = componentOf(components, "CAROUSEL");
  const before = carousel?.cards[card];
  if (!carousel || !before) return draft;
  const after = edit(before.components);
  if (after === before.components) return draft;
  const cards = carousel.cards.map((it, index) => (index === card ? { ...it, components: after } : it));
  return {
    ...draft,
    template: {
      ...draft.template,
      components: components.map((it, index) => (index === position ? { ...carousel, cards } : it)),
    },
  };
}

/** The card whose parts the fields work on; absent for the message itself. */
export function useCard(): number | undefined {
  return use(CardContext).card;
}

/** The path of the components, functions that change them, and the file of their header. */
export function useParts() {
  const card = useCard();
  const store = useComposerStore();
  const carousel = useComposer((state) => indexOfKind(state.draft.template.components, "CAROUSEL"));
  return useMemo(() => {
    const base = card === undefined ? "/components" : `/components/${carousel}/cards/${card}/components`;
    return {
      card,
      /** JSON pointer to the list. */
      base,
      change: (edit: (parts: Parts) => Parts, key?: string) =>
        store
          .getState()
          .update((draft) => withParts(draft, card, edit), key === undefined ? undefined : `${base} ${key}`),
      setFile: (file: Attachment | null) => store.getState().update((draft) => withFile(draft, card, file)),
      /** Changes components and file in one step. */
      changeWithFile: (edit: (parts: Parts) => Parts, file: Attachment | null) =>
        store.getState().update((draft) => withFile(withParts(draft, card, edit), card, file)),
    };
  }, [card, carousel, store]);
}

function withFile(draft: Draft, card: number | undefined, file: Attachment | null): Draft {
  if (card === undefined) return { ...draft, headerFile: file };
  const cardFiles = [...draft.cardFiles];
  while (cardFiles.length <= card) cardFiles.push(null);
  cardFiles[card] = file;
  return { ...draft, cardFiles };
}

/** The file of the header. */
export function useFile(): Attachment | null {
  const card = useCard();
  return useComposer(({ draft }) => (card === undefined ? draft.headerFile : draft.cardFiles[card]) ?? null);
}

/** The file that a listed sample was last submitted as from here. */
export function useSubmittedFile(sample: string | undefined): Attachment | null {
  const isCard = useCard() !== undefined;
  return useComposer(({ context }) => {
    if (!context || !sample) return null;
    if (!isCard) return context.files.header ?? null;
    // The cards of the draft may be in another order.
    const cards = componentOf(context.original.components, "CAROUSEL")?.cards ?? [];
    const position = cards.findIndex(
      ({ components }) => componentOf(components, "HEADER")?.example?.header_handle?.[0] === sample,
    );
    return context.files.cards[position] ?? null;
  });
}

/** The component of a kind, and its JSON pointer. */
export function useComponent<K extends Kind>(
  kind: K,
): { component: Extract<Component, { type: K }> | undefined; path: string } {
  const card = useCard();
  const component = useComposer((state) => componentOf(partsOf(state, card), kind));
  return { component, path: useComponentPath(kind) };
}

/** The JSON pointer of the component of a kind. */
export function useComponentPath(kind: Kind): string {
  const { base, card } = useParts();
  const position = useComposer((state) => indexOfKind(partsOf(state, card), kind));
  return `${base}/${position}`;
}

/** The whole list. */
export function usePartList(): Parts {
  const card = useCard();
  return useComposer((state) => partsOf(state, card));
}
