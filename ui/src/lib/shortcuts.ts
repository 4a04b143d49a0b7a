// Every shortcut of the window, once: the handlers, the hints in menus and the list of shortcuts are made of it.

import { useOs } from "@mantine/hooks";
import { create } from "zustand";

export type ShortcutGroup = "app" | "lists" | "review" | "composer";

interface Shortcut {
  group: ShortcutGroup;
  /**
   * Alternatives. A combination is written `mod+alt+shift+z`; `mod` is Ctrl, and ⌘ on a Mac. Signs such as `?` have no
   * `shift`: whether they need it depends on the keyboard.
   */
  keys: readonly [string, ...string[]];
  /** Whether a person can choose other keys. */
  changeable: boolean;
  /** Whether it works while the focus is in a field, so that it needs more than a letter. */
  inFields?: boolean;
}

export const SHORTCUTS = {
  palette: { group: "app", keys: ["mod+k"], changeable: true, inFields: true },
  shortcuts: { group: "app", keys: ["?"], changeable: true },
  newTemplate: { group: "app", keys: ["mod+n"], changeable: true, inFields: true },
  settings: { group: "app", keys: ["mod+,"], changeable: true, inFields: true },
  goBack: { group: "app", keys: ["Escape"], changeable: false },
  workspace: { group: "app", keys: ["mod+1–9"], changeable: false },
  moveInList: { group: "lists", keys: ["ArrowUp", "ArrowDown"], changeable: false },
  moveFar: { group: "lists", keys: ["PageUp", "PageDown", "Home", "End"], changeable: false },
  openRow: { group: "lists", keys: ["Enter"], changeable: false },
  selectRow: { group: "lists", keys: ["Space"], changeable: false },
  selectRange: { group: "lists", keys: ["shift+ArrowDown", "shift+ArrowUp"], changeable: false },
  selectAll: { group: "lists", keys: ["mod+a"], changeable: true },
  moveOnBoard: { group: "review", keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], changeable: false },
  fixCard: { group: "review", keys: ["f"], changeable: true },
  bold: { group: "composer", keys: ["mod+b"], changeable: true, inFields: true },
  italic: { group: "composer", keys: ["mod+i"], changeable: true, inFields: true },
  strike: { group: "composer", keys: ["mod+shift+x"], changeable: true, inFields: true },
  mono: { group: "composer", keys: ["mod+shift+m"], changeable: true, inFields: true },
  undo: { group: "composer", keys: ["mod+z"], changeable: true, inFields: true },
  redo: { group: "composer", keys: ["mod+shift+z", "mod+y"], changeable: true, inFields: true },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;
export const SHORTCUT_NAMES = Object.keys(SHORTCUTS) as ShortcutName[];

/** Keys that a person chose, by the name of the shortcut. */
export type ChosenKeys = Readonly<Record<string, string>>;

const useChosen = create<{ chosen: ChosenKeys }>(() => ({ chosen: {} }));

/** Applies the chosen keys to all handlers and hints. */
export function setChosenKeys(chosen: ChosenKeys): void {
  useChosen.setState({ chosen });
}

const keysIn = (chosen: ChosenKeys, name: ShortcutName): readonly string[] => {
  const own = SHORTCUTS[name].changeable ? chosen[name] : undefined;
  return own === undefined ? SHORTCUTS[name].keys : [own];
};

interface Pressed {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const MODIFIERS = ["Control", "Meta", "Shift", "Alt", "AltGraph", "CapsLock", "NumLock", "Dead", "Unidentified"];

/** The combination that is pressed; nothing while there are only modifiers. */
export function combinationOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): string | undefined {
  if (MODIFIERS.includes(key)) return undefined;
  const isSign = key.length === 1 && key !== " " && !/[\p{L}\p{N}]/u.test(key);
  return [
    (ctrlKey || metaKey) && "mod",
    altKey && "alt",
    shiftKey && !isSign && "shift",
    key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key,
  ]
    .filter(Boolean)
    .join("+");
}

/** Whether a key press is a shortcut. */
export function isShortcut(event: Pressed, name: ShortcutName): boolean {
  // By the place of the key: on some keyboards a digit needs Shift.
  if (name === "workspace") return digitOf(event) !== undefined;
  const pressed = combinationOf(event);
  return pressed !== undefined && keysIn(useChosen.getState().chosen, name).includes(pressed);
}

/** The digit 1–9 that is pressed with Ctrl or ⌘. */
export function digitOf({ code = "", ctrlKey, metaKey, altKey }: Pressed): number | undefined {
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  return digit !== undefined && (ctrlKey || metaKey) && !altKey ? Number(digit) : undefined;
}

/** The keys of each shortcut, as chosen. */
export function useShortcutKeys(): (name: ShortcutName) => readonly string[] {
  const { chosen } = useChosen();
  return (name) => keysIn(chosen, name);
}

/** As `aria-keyshortcuts` wants it, such as `Control+K Meta+K`. */
export function useAriaKeys(): (name: ShortcutName) => string {
  const keysOf = useShortcutKeys();
  return (name) =>
    keysOf(name)
      .flatMap((keys) =>
        keys.startsWith("mod+") ? [keys.replace("mod", "Control"), keys.replace("mod", "Meta")] : keys,
      )
      .join(" ");
}

/** A hint such as `Bold (Ctrl+B)`. */
export function useHint(): (text: string, name: ShortcutName) => string {
  const keysOf = useShortcutKeys();
  const keyNames = useKeyNames();
  return (text, name) => `${text} (${keyNames(keysOf(name)[0] ?? "").join("+")})`;
}

/** Why keys cannot be chosen for a shortcut. */
export type KeyRefusal = { reason: "letter" | "reserved" } | { reason: "taken"; by: ShortcutName };

/** Keys that move the focus, press buttons or close what is open. */
const FOCUS_KEYS =
  /^(shift\+)?(Escape|Tab|Enter|Space|Backspace|Delete|Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;
/** Keys of the clipboard and of the system. */
const SYSTEM_KEYS = /^mod\+([acvxqw]|[0-9]|Tab|Enter|Space)$|^alt\+(Tab|F4|Space|ArrowLeft|ArrowRight)$/;

/** Why `keys` cannot be chosen for a shortcut; nothing if they can. */
export function refusalOf(name: ShortcutName, keys: string, chosen: ChosenKeys): KeyRefusal | undefined {
  const own = SHORTCUTS[name];
  if ((own.keys as readonly string[]).includes(keys)) return takenBy(name, keys, chosen);
  if (FOCUS_KEYS.test(keys) || SYSTEM_KEYS.test(keys)) return { reason: "reserved" };
  const isModified = /^(mod|alt)\+/.test(keys) || /^(shift\+)?F\d+$/.test(keys);
  if (!isModified && "inFields" in own) return { reason: "letter" };
  return takenBy(name, keys, chosen);
}

function takenBy(name: ShortcutName, keys: string, chosen: ChosenKeys): KeyRefusal | undefined {
  const { group } = SHORTCUTS[name];
  const by = SHORTCUT_NAMES.find((other) => {
    if (other === name || !keysIn(chosen, other).includes(keys)) return false;
    // Lists, the board and the editor are never on the screen together.
    return SHORTCUTS[other].group === group || SHORTCUTS[other].group === "app" || group === "app";
  });
  return by === undefined ? undefined : { reason: "taken", by };
}

const SIGNS: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
};

/** The keys of a combination as they are printed on the keyboard. */
export function useKeyNames(): (combination: string) => string[] {
  const mac = useOs() === "macos";
  const names: Record<string, string> = {
    ...SIGNS,
    mod: mac ? "⌘" : "Ctrl",
    shift: mac ? "⇧" : "Shift",
    alt: mac ? "⌥" : "Alt",
  };
  return (combination) =>
    combination.split("+").map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
