import { ModalsProvider } from "@mantine/modals";
import { useSpotlight } from "@mantine/spotlight";
import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Loading } from "@/components/loading";
import { returnFocus, useFocusPlace } from "@/lib/return-focus";
import { BulkActionToasts } from "./bulk-action-toasts";
import { CloseQuestion } from "./close-question";
import { useDoubleClicks } from "./double-clicks";
import { useRememberScreen } from "./last-screen";
import { Notices } from "./notices";
import { paletteStore } from "./palette";
import { usePending } from "./pending";
import { Rail } from "./rail";
import classes from "./shell.module.css";
import { useChosenKeys, useShortcuts } from "./shortcuts";
import { StatusToasts } from "./status-toasts";
import { TourCard } from "./tour-card";
import { useHostPlaces, useIsOfOtherWorkspace, useWorkspaceKeys } from "./workspace-switching";

const CommandPalette = lazy(() => import("./command-palette").then((palette) => ({ default: palette.CommandPalette })));

/** Time after the first drawing until the palette is loaded, in milliseconds. */
const PALETTE_DELAY = 600;

export function Shell() {
  const { t } = useTranslation("shell");
  const main = useRef<HTMLElement>(null);
  useFocusOnScreenChange(main);
  useChosenKeys();
  useShortcuts();
  useWorkspaceKeys();
  useHostPlaces();
  usePending();
  useRememberScreen();
  useFocusPlace();
  useDoubleClicks();
  const isOfOther = useIsOfOtherWorkspace();
  return (
    // Inside the router, because a modal may link to another screen.
    <ModalsProvider
      modalProps={{
        closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
        onExitTransitionEnd: returnFocus,
      }}
    >
      <div className={classes.shell}>
        <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
          {t("skip")}
        </button>
        <Rail />
        <div className={classes.screen}>
          <Notices />
          <main ref={main} tabIndex={-1} className={classes.main}>
            {isOfOther ? <Loading /> : <Outlet />}
          </main>
        </div>
        <TourCard />
        <LaterPalette />
        <StatusToasts />
        <BulkActionToasts />
        <CloseQuestion />
      </div>
    </ModalsProvider>
  );
}

/**
 * Mounted closed a moment after the first screen: when it is opened, it notes where the focus goes back to. It is kept,
 * because it knows the recent choices.
 */
function LaterPalette() {
  const { opened } = useSpotlight(paletteStore);
  const [isMounted, setMounted] = useState(opened);
  useEffect(() => {
    const timer = setTimeout(() => setMounted(true), PALETTE_DELAY);
    return () => clearTimeout(timer);
  }, []);
  if (opened && !isMounted) setMounted(true);
  return <Suspense>{isMounted && <CommandPalette />}</Suspense>;
}

/** The first screen and each new one take the focus to their heading, unless they have already placed it. */
function useFocusOnScreenChange(main: React.RefObject<HTMLElement | null>) {
  const router = useRouter();
  useEffect(() => {
    const focusHeading = () => {
      const inside = main.current?.contains(document.activeElement) && document.activeElement !== main.current;
      if (inside) return;
      const heading = main.current?.querySelector<HTMLElement>("h1");
      (heading ?? main.current)?.focus({ preventScroll: true });
    };
    // The first screen may have rendered before this subscription. Setting the focus forces a layout, which the frame uses.
    const frame = requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (focused === document.body || focused === main.current) focusHeading();
    });
    const unsubscribe = router.subscribe("onRendered", ({ pathChanged }) => {
      if (pathChanged) focusHeading();
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [router, main]);
}
