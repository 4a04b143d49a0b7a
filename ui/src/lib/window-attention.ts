// Whether a person can be looking at the window: it is shown, and it has the focus.

import { useSyncExternalStore } from "react";

const isAttended = () => document.visibilityState === "visible" && document.hasFocus();

function subscribe(onChange: () => void) {
  document.addEventListener("visibilitychange", onChange);
  window.addEventListener("focus", onChange);
  window.addEventListener("blur", onChange);
  return () => {
    document.removeEventListener("visibilitychange", onChange);
    window.removeEventListener("focus", onChange);
    window.removeEventListener("blur", onChange);
  };
}

/** False while the window is hidden, in the tray, or behind the window that has the focus. */
export const useIsAttended = () => useSyncExternalStore(subscribe, isAttended);
