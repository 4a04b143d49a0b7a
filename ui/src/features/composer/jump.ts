import { type RefObject, useCallback } from "react";
import { useComposerStore } from "./store";

/** Goes to the field that a finding is about, opening its card; in the JSON view, to its place in the text. */
export function useJump(form: RefObject<HTMLElement | null>): (path: string) => void {
  const store = useComposerStore();
  return useCallback(
    (path) => {
      if (store.getState().tab === "json") {
        store.getState().focusJson(path);
        return;
      }
      const card = /^\/components\/\d+\/cards\/(\d+)/.exec(path)?.[1];
      if (card !== undefined) store.getState().openCard(Number(card));
      // The field is there once the card is drawn.
      requestAnimationFrame(() => form.current && jumpTo(form.current, path));
    },
    [store, form],
  );
}

const FOCUSABLE = "input, textarea, button, [contenteditable='true']";

/** Goes to the field that a finding is about. */
function jumpTo(form: HTMLElement, path: string): void {
  const best = fieldAt(form, path);
  if (!best) return;
  // What is folded away cannot take the focus.
  for (let around = best.closest("details"); around; around = around.parentElement?.closest("details") ?? null) {
    around.open = true;
  }
  best.scrollIntoView({ block: "center", behavior: "smooth" });
  focusField(best);
}

/** Puts the focus into a field, or into its first part that takes it. */
export function focusField(field: HTMLElement): void {
  const input = field.matches(FOCUSABLE) ? field : field.querySelector<HTMLElement>(FOCUSABLE);
  (input ?? field).focus({ preventScroll: true });
}

/** The field that a finding is about: the nearest one above or below its place in the template. */
export function fieldAt(form: HTMLElement, path: string): HTMLElement | undefined {
  let best: HTMLElement | undefined;
  let bestScore = -1;
  for (const field of form.querySelectorAll<HTMLElement>("[data-path]")) {
    const own = field.dataset.path ?? "";
    const score = closeness(own, path);
    if (score > bestScore) {
      best = field;
      bestScore = score;
    }
  }
  return bestScore > 0 ? best : undefined;
}

/** How many leading steps two pointers share; a field at exactly the place wins. */
function closeness(own: string, path: string): number {
  if (own === path) return Number.POSITIVE_INFINITY;
  const a = own.split("/").slice(1);
  const b = path.split("/").slice(1);
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  // `/components` alone is no kinship between fields of different components.
  return shared === 1 && a[0] === "components" && b.length > 1 ? 0 : shared;
}
