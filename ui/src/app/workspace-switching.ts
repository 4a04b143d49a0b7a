// One key, one choice of a menu, or a notification of the desktop leads to another workspace; all of them go this way.

import { useHotkeys } from "@mantine/hooks";
import { useRouter } from "@tanstack/react-router";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useDeskEvent } from "@/lib/ipc/events";
import { PLACES } from "./places";

/** So many workspaces have a key of their own. */
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Goes to a workspace: to the same place of it, without what is open there, or to the one named. */
export function useGoToWorkspace(): (workspace: string, place?: string) => void {
  const router = useRouter();
  return (workspace, place) => {
    const { pathname } = router.state.location;
    const rail = PLACES.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to;
    // A screen with something unsaved asks first: nothing has changed until it is left.
    void router.navigate({ to: "/", search: { workspace, place: place ?? rail } });
  };
}

/** Ctrl or Cmd with a digit shows the workspace at that place of the menu, wherever the focus is. */
export function useWorkspaceKeys(): void {
  const { workspaces } = useBootstrap();
  const here = useWorkspace().id;
  const goTo = useGoToWorkspace();
  useHotkeys(
    DIGITS.map((digit) => [
      `mod+digit${digit}`,
      () => {
        const wanted = workspaces[digit - 1];
        if (wanted && wanted.id !== here) goTo(wanted.id);
      },
      // By the place of the key: on some keyboards a digit needs Shift.
      { usePhysicalKeys: true },
    ]),
    [],
    true,
  );
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
export const digitOf = (place: number): number | undefined => DIGITS[place];

/** The key as assistive tools read it. */
export function keyShortcutOf(place: number): string | undefined {
  const digit = digitOf(place);
  return digit === undefined ? undefined : `Control+${digit} Meta+${digit}`;
}
