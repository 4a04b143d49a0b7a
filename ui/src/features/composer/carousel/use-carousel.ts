import { useCallback } from "react";
import type { Draft } from "@/bindings/app";
import { useComposerStore } from "../store";

/** Changes the cards, and opens one of them. */
export function useCarousel() {
  const store = useComposerStore();
  const update = useCallback(
    (edit: (draft: Draft) => Draft, open?: number) => {
      store.getState().update(edit);
      if (open !== undefined) store.getState().openCard(open);
    },
    [store],
  );
  return { update };
}
