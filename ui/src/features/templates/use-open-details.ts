import { modals } from "@mantine/modals";
import { useEffect, useEffectEvent, useState } from "react";

/** An element that takes Escape itself, such as an open list of options. */
const TAKES_ESCAPE = "data-mantine-stop-propagation";

/**
 * The rows of a dialog whose details are open. Escape closes the details that were opened last, then the dialog. `shown` are
 * the rows on the screen.
 */
export function useOpenDetails(modalId: string, shown: readonly string[], onClosed: (row: string) => void) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const last = opened.findLast((row) => shown.includes(row));
  const isAnyOpen = last !== undefined;
  const toggle = (row: string) =>
    setOpened(opened.includes(row) ? opened.filter((other) => other !== row) : [...opened, row]);

  const closeLast = useEffectEvent((event: KeyboardEvent) => {
    const takesEscape = event.target instanceof Element && event.target.getAttribute(TAKES_ESCAPE) === "true";
    if (last === undefined || event.key !== "Escape" || event.isComposing || takesEscape) return;
    setOpened(opened.filter((row) => row !== last));
    onClosed(last);
  });
  useEffect(() => {
    if (!isAnyOpen) return;
    modals.updateModal({ modalId, closeOnEscape: false });
    const onKeyDown = (event: KeyboardEvent) => closeLast(event);
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      window.removeEventListener("keydown", onKeyDown, { capture: true });
      modals.updateModal({ modalId, closeOnEscape: true });
    };
  }, [isAnyOpen, modalId]);

  return { opened, toggle };
}
