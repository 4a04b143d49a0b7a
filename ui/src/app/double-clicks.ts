import { useEffect } from "react";

const BACKDROPS = ".mantine-Modal-overlay, .mantine-Drawer-overlay";

/** Keeps a dialog open whose backdrop gets the second click of the double click that opened it. */
export function useDoubleClicks(): void {
  useEffect(() => {
    const stop = (event: MouseEvent) => {
      if (event.detail > 1 && event.target instanceof Element && event.target.closest(BACKDROPS))
        event.stopPropagation();
    };
    document.addEventListener("click", stop, { capture: true });
    return () => document.removeEventListener("click", stop, { capture: true });
  }, []);
}
