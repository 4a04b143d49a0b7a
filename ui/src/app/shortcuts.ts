import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { usePreferences } from "@/lib/desk";
import { useGoBack } from "@/lib/go-back";
import { isLayerOpen } from "@/lib/open-layers";
import { isShortcut, setChosenKeys } from "@/lib/shortcuts";
import { useEndTour } from "@/lib/tour";
import { palette, paletteStore } from "./palette";
import { useShowShortcuts } from "./show-shortcuts";

/** Screens of one thing, each with the list it belongs to. Forms with something typed have no such way out. */
const DETAILS = {
  "/templates/$reference": "/templates",
  "/templates/new": "/templates",
  "/templates/removed": "/templates",
  "/templates/removed/$reference": "/templates/removed",
  "/drafts/$draft": "/templates",
  "/sends/$send": "/sends",
  "/sends/batches/$batch": "/sends/batches",
} as const;

const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], .cm-editor";

/** Applies the keys of the preferences. */
export function useChosenKeys(): void {
  const [{ shortcuts }] = usePreferences();
  useEffect(() => setChosenKeys(shortcuts), [shortcuts]);
}

/** The shortcuts that work on every screen. */
export function useShortcuts(): void {
  const router = useRouter();
  const goBack = useGoBack();
  const showShortcuts = useShowShortcuts();
  const [{ tourStartedAt }] = usePreferences();
  const isOnTour = tourStartedAt != null;
  const endTour = useEndTour();

  const press = useEffectEvent((event: KeyboardEvent, wasOpen: boolean) => {
    if (event.defaultPrevented || event.isComposing) return;
    const inField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
    const take = (run: () => void) => {
      event.preventDefault();
      run();
    };
    if (isShortcut(event, "palette")) take(palette.toggle);
    else if (wasOpen) return;
    else if (isShortcut(event, "newTemplate")) take(() => void router.navigate({ to: "/templates/new" }));
    else if (isShortcut(event, "settings")) take(() => void router.navigate({ to: "/settings" }));
    else if (inField) return;
    else if (isShortcut(event, "shortcuts")) take(showShortcuts);
    else if (isShortcut(event, "goBack")) {
      const screen = router.state.matches.at(-1)?.fullPath;
      const list = screen !== undefined && screen in DETAILS ? DETAILS[screen as keyof typeof DETAILS] : undefined;
      if (list !== undefined) take(() => goBack({ to: list }));
      // Only a tour that is seen is ended.
      else if (isOnTour && document.querySelector("[data-tour]") !== null) take(endTour);
    }
  });

  useEffect(() => {
    // Asked before anything closes: what Escape closed must not also leave the screen.
    let wasOpen = false;
    const look = () => {
      // The palette may still be loading.
      wasOpen = paletteStore.getState().opened || isLayerOpen();
    };
    const onKeyDown = (event: KeyboardEvent) => press(event, wasOpen);
    window.addEventListener("keydown", look, { capture: true });
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", look, { capture: true });
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}
