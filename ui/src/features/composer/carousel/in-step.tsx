// Buttons of cards are kept in step: their types and order always while the cards are alike, labels and addresses while
// the person wants them the same on every card.

import { createContext, use, useMemo } from "react";
import type { Parts } from "../parts";
import { useParts } from "../parts-context";
import { useComposerStore } from "../store";
import { alike, cardsOf, editButtons } from "./cards";

/** Whether labels and addresses are the same on every card. */
export const SameButtons = createContext(false);

type Edit = (parts: Parts) => Parts;

/** Changes to the buttons of the message, or of a card and those in step with it. */
export function useButtonEdits() {
  const { card, base, change } = useParts();
  const same = use(SameButtons);
  const store = useComposerStore();
  return useMemo(() => {
    const everywhere = (edit: Edit, key: string | undefined, is: (alike: boolean) => boolean) => {
      if (card === undefined) return change(edit, key);
      return store
        .getState()
        .update(
          (draft) => editButtons(draft, card, edit, is(alike(cardsOf(draft)))),
          key === undefined ? undefined : `${base} ${key}`,
        );
    };
    return {
      /** Which buttons there are, and in which order. */
      arrange: (edit: Edit) => everywhere(edit, undefined, (alike) => alike),
      /** What a button says and does. */
      fill: (edit: Edit, key?: string) => everywhere(edit, key, (alike) => alike && same),
    };
  }, [card, base, change, same, store]);
}
