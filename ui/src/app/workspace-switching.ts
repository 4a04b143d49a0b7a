// One key, one choice of a menu, or a notification of the desktop leads to another workspace; all of them go this way.

import { useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useDeskEvent } from "@/lib/ipc/events";
import { digitOf } from "@/lib/shortcuts";
import { railOf } from "./destinations";

/** Number of workspaces that have a key of their own: the digits 1–9. */
const MAX_KEYS = 9;

/** Goes to a workspace: to the same place of it, without what is open there, or to the one named. */
export function useGoToWorkspace(): (workspace: string, place?: string) => void {
  const router = useRouter();
  return (workspace, place) => {
    // A screen with something unsaved asks first: nothing has changed until it is left.
    void router.navigate({ to: "/", search: { workspace, place: place ?? railOf(router.state.location.pathname) } });
  };
}

/**
 * Whether the screen that *back* or *forward* came to belongs to another workspace. What was open there is not shown under
 * the name of this one: its place is, as after any change of the workspace.
 */
export function useIsOfOtherWorkspace(): boolean {
  const here = useWorkspace().id;
  const router = useRouter();
  const location = useRouterState({ select: (state) => state.location });
  const shown = useRouterState({ select: (state) => state.resolvedLocation });
  // By entry of the history, the workspace that was shown when it was made.
  const [workspaces] = useState(() => new Map<string, string>());
  const { pathname } = location;
  const entry = location.state.__TSR_key;
  // These show nothing of a workspace.
  const isCommon = pathname === "/" || pathname === "/settings" || pathname === "/help";
  useEffect(() => {
    if (entry !== undefined && !isCommon && !workspaces.has(entry)) workspaces.set(entry, here);
  }, [workspaces, entry, isCommon, here]);
  const isOf = (key: string | undefined) => (key === undefined ? undefined : workspaces.get(key)) ?? here;
  const isOther = isOf(entry) !== here;
  // Straight into the history: the router takes the way to where one is already for none, and this entry would stay.
  const leave = useEffectEvent(() => router.history.replace(railOf(pathname) ?? "/templates"));
  useEffect(() => {
    if (isOther) leave();
  }, [isOther]);
  // On the way in, the screen comes after the address; on the way out it is still there when the address is another.
  return isOther || isOf(shown?.state.__TSR_key) !== here;
}

/** Ctrl or Cmd with a digit shows the workspace at that place of the menu, wherever the focus is. */
export function useWorkspaceKeys(): void {
  const { workspaces } = useBootstrap();
  const here = useWorkspace().id;
  const goTo = useGoToWorkspace();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const digit = digitOf(event);
    if (digit === undefined || event.defaultPrevented) return;
    event.preventDefault();
    const target = workspaces[digit - 1];
    if (target && target.id !== here) goTo(target.id);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Follows the host to what a person chose outside the window, such as a notification of the desktop. */
export function useHostPlaces(): void {
  const here = useWorkspace().id;
  const goTo = useGoToWorkspace();
  useDeskEvent((event) => {
    if (event.type === "open") goTo(event.workspace || here, event.place);
  });
}

/** The digit of a workspace's key; absent past the ninth. */
export const keyDigitOf = (index: number): number | undefined => (index < MAX_KEYS ? index + 1 : undefined);

/** The key as assistive tools read it. */
export function keyShortcutOf(index: number): string | undefined {
  const digit = keyDigitOf(index);
  return digit === undefined ? undefined : `Control+${digit} Meta+${digit}`;
}
