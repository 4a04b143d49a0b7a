// Where the keyboard was before a dialog or menu opened. Dialogs give the focus back to what had it, but that may be an item
// of a menu that is gone, and a dialog that is unmounted at once gives nothing back.

import { useEffect } from "react";

const OVERLAYS = "[role=dialog], [role=menu], [role=listbox]";
/** Time in milliseconds after which a dialog that closes has given the focus back, if it does. */
const CLOSED = 20;

let place: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Remembers what has the focus outside of dialogs and menus, while the window is there. */
export function useFocusPlace(): void {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === document.body || target.closest(OVERLAYS)) return;
      place = target;
    };
    document.addEventListener("focusin", remember);
    return () => {
      document.removeEventListener("focusin", remember);
      clearTimeout(timer);
      place = undefined;
    };
  }, []);
}

/** Whether nothing has the focus, so that the keyboard would start from the top. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || !activeElement.isConnected;
}

/** Gives the focus back after a dialog, if it went nowhere. */
export function returnFocus(): void {
  if (place === undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (isFocusLost() && document.querySelector("[role=dialog]") === null && place?.isConnected) {
      place.focus({ preventScroll: true });
    }
  }, CLOSED);
}

/** Gives the focus back when the dialog that calls it is unmounted. */
export function useReturnFocus(): void {
  useEffect(() => returnFocus, []);
}
