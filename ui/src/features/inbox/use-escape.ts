import { useEffect, useEffectEvent } from "react";
import { isLayerOpen } from "@/lib/open-layers";

/** Calls `onEscape` for the Escape key wherever the focus is, unless something open or a search takes the key. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
  const close = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return;
    // Asked before anything closes: what Escape closed must not also leave the conversation.
    let isTaken = false;
    const look = ({ target }: KeyboardEvent) => {
      const isSearch = target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
      isTaken = isSearch || isLayerOpen();
    };
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented && !isTaken) close();
    };
    window.addEventListener("keydown", look, { capture: true });
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", look, { capture: true });
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [isActive]);
}
