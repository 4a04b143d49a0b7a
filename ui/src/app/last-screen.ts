// The screen that was open last in each workspace. The page stores it, and not the host: it changes with every click in the
// rail. It is a place of the rail alone, so that no name, number or reference is stored.

import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useWorkspace } from "@/lib/desk";
import { railOf } from "./destinations";

const FIRST = "/templates";
const keyOf = (workspace: string) => `lastScreen.${workspace}`;

/** Where a workspace opens: at the screen that was open last, the first time at the templates. */
export function lastScreen(workspace: string) {
  try {
    return railOf(localStorage.getItem(keyOf(workspace)) ?? FIRST) ?? FIRST;
  } catch {
    // Storage may be off.
    return FIRST;
  }
}

/** Path that the window opens with: that of its address, which a reload keeps, or that of the last screen. */
export function openingPath(workspace: string) {
  const [path = ""] = location.hash.slice(1).split("?");
  return path === "" || path === "/" ? lastScreen(workspace) : path;
}

/** Stores which screen is open, for the next start. */
export function useRememberScreen(): void {
  const workspace = useWorkspace().id;
  const screen = useRouterState({ select: (state) => railOf(state.location.pathname) });
  useEffect(() => {
    if (screen === undefined) return;
    try {
      localStorage.setItem(keyOf(workspace), screen);
    } catch {
      // Without storage the next start opens the templates.
    }
  }, [workspace, screen]);
}
