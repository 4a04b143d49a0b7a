// Every shortcut of the window, once: the handlers, the hints in menus and the list of shortcuts are made of it.

import { useOs } from "@mantine/hooks";

export type ShortcutGroup = "app" | "lists" | "review" | "composer";

interface Shortcut {
  group: ShortcutGroup;
  /** Alternatives. A combination is written `mod+Shift+z`; `mod` is Ctrl, and ⌘ on a Mac. */
  keys: readonly [string, ...string[]];
}

export const SHORTCUTS = {
  palette: { group: "app", keys: ["mod+k"] },
  shortcuts: { group: "app", keys: ["shift+?"] },
  newTemplate: { group: "app", keys: ["mod+n"] },
  settings: { group: "app", keys: ["mod+,"] },
  goBack: { group: "app", keys: ["Escape"] },
  workspace: { group: "app", keys: ["mod+1–9"] },
  moveInList: { group: "lists", keys: ["ArrowUp", "ArrowDown"] },
  moveFar: { group: "lists", keys: ["PageUp", "PageDown", "Home", "End"] },
  openRow: { group: "lists", keys: ["Enter"] },
  selectRow: { group: "lists", keys: ["Space"] },
  selectRange: { group: "lists", keys: ["shift+ArrowDown", "shift+ArrowUp"] },
  selectAll: { group: "lists", keys: ["mod+a"] },
  moveOnBoard: { group: "review", keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] },
  fixCard: { group: "review", keys: ["f"] },
  bold: { group: "composer", keys: ["mod+b"] },
  italic: { group: "composer", keys: ["mod+i"] },
  undo: { group: "composer", keys: ["mod+z"] },
  redo: { group: "composer", keys: ["mod+shift+z", "mod+y"] },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether a key press is a shortcut. */
export function isShortcut(event: Pressed, name: ShortcutName): boolean {
  return SHORTCUTS[name].keys.some((combination) => {
    const parts = combination.split("+");
    const key = parts.at(-1) === "Space" ? " " : parts.at(-1);
    return (
      event.key.toLowerCase() === key?.toLowerCase() &&
      (event.ctrlKey || event.metaKey) === parts.includes("mod") &&
      event.shiftKey === parts.includes("shift") &&
      !event.altKey
    );
  });
}

/** As `aria-keyshortcuts` wants it, such as `Control+K Meta+K`. */
export function ariaKeys(name: ShortcutName): string {
  return SHORTCUTS[name].keys
    .flatMap((keys) => (keys.startsWith("mod+") ? [keys.replace("mod", "Control"), keys.replace("mod", "Meta")] : keys))
    .join(" ");
}

const SIGNS: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  "?": "?",
};

/** The keys of a combination as they are printed on the keyboard. */
export function useKeyNames(): (combination: string) => string[] {
  const mac = useOs() === "macos";
  const names: Record<string, string> = { ...SIGNS, mod: mac ? "⌘" : "Ctrl", shift: mac ? "⇧" : "Shift" };
  return (combination) => {
    const parts = combination.split("+");
    // The question mark needs Shift on most keyboards, and is known by its sign.
    const shown = parts.at(-1) === "?" ? ["?"] : parts;
    return shown.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  };
}
