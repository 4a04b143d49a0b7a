// Items of a list in a template have no name of their own. These keys follow them through moves, so that what is drawn
// for an item, and the focus in it, goes where the item goes.

import { useState } from "react";
import { type ComposerState, useComposer } from "./store";

interface Keyed {
  items: readonly unknown[];
  keys: string[];
}

let next = 1;

/** Keys for `items`: an item that is the same keeps its key, else the one at its place; others get new ones. */
export function rekey(before: Keyed, items: readonly unknown[]): Keyed {
  if (items === before.items) return before;
  const free = new Map<number, string>(before.keys.map((key, index) => [index, key]));
  const keys: (string | undefined)[] = items.map((item) => {
    for (const [index, key] of free) {
      if (before.items[index] !== item) continue;
      free.delete(index);
      return key;
    }
    return undefined;
  });
  const whole = keys.map((key, index) => {
    const kept = key ?? free.get(index);
    if (key === undefined) free.delete(index);
    return kept ?? `item-${next++}`;
  });
  const same = whole.length === before.keys.length && whole.every((key, index) => key === before.keys[index]);
  return { items, keys: same ? before.keys : whole };
}

/** Keys of a list in the state. They stay the same object while no item comes, goes or moves. */
export function useKeysOf(select: (state: ComposerState) => readonly unknown[]): string[] {
  const [keysOf] = useState(() => {
    let keyed: Keyed = { items: [], keys: [] };
    return (items: readonly unknown[]) => {
      keyed = rekey(keyed, items);
      return keyed.keys;
    };
  });
  return useComposer((state) => keysOf(select(state)));
}
