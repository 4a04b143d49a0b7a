import { useEffect } from "react";

const BACKDROPS = ".mantine-Modal-overlay, .mantine-Drawer-overlay";
const CONTROLS = "button, a, input, [role=button], [role=menuitem], [role=option], [role=tab]";

/**
 * Lets the second click of a double click act only on what got the first one. It does not close the dialog that the first
 * opened, and does not press a button that took the place of the one before.
 */
export function useDoubleClicks(): void {
  useEffect(() => {
    let first: Element | null = null;
    const stop = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      const control = event.target.closest(CONTROLS);
      if (event.detail <= 1) {
        first = control;
      } else if (event.target.closest(BACKDROPS) || (control !== null && control !== first)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    document.addEventListener("click", stop, { capture: true });
    return () => document.removeEventListener("click", stop, { capture: true });
  }, []);
}
