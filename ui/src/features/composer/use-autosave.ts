import { useEffect, useState } from "react";
import { createStore } from "zustand";
import { call } from "@/lib/ipc/client";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";
import type { ComposerStore } from "./store";

/** Time after the last change before it is stored, in milliseconds. */
const PAUSE = 300;
/** Longest time that a change waits while more are typed, in milliseconds: it is stored within a second. */
const LONGEST = 800;

// Stores that are under way, by draft: opening a draft again waits for what was typed last.
const underWay = new Map<string, Promise<void>>();

/** Settles once everything typed into the draft is stored, or could not be. */
export function draftSettled(draft: string): Promise<void> {
  return underWay.get(draft) ?? Promise.resolve();
}

type SaveState = "saved" | "saving" | "changed" | "failed";

/** How far storing is. */
export interface Saving {
  state: SaveState;
  failure: DeskFailure | undefined;
}

/**
 * Stores the draft by itself: a moment after the last change and at most a second after the first, when the window loses
 * the focus, and on leaving. It follows the store and has one of its own, so that neither a key nor a save draws anything
 * of the page but what it changes.
 */
export function useAutosave(store: ComposerStore) {
  const [autosave] = useState(() => createAutosave(store));
  useEffect(() => autosave.start(), [autosave]);
  return autosave;
}

function createAutosave(store: ComposerStore) {
  const saving = createStore<Saving>()(() => ({ state: "saved", failure: undefined }));
  const latest = () => store.getState().draft;
  let stored = latest();
  const { id } = stored;
  /** When the oldest change that is not stored was made. */
  let since: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Stores what is not stored yet. Resolves to whether everything is. */
  const flush = async (): Promise<boolean> => {
    // Whoever waits first goes first; the others wait for that one too.
    for (let work = underWay.get(id); work; work = underWay.get(id)) await work;
    const draft = latest();
    since = undefined;
    if (draft === stored) {
      saving.setState({ state: "saved", failure: undefined });
      return true;
    }
    saving.setState({ state: "saving" });
    const work = call("save_draft", draft).then(
      () => {
        stored = draft;
        saving.setState({ state: latest() === draft ? "saved" : "changed", failure: undefined });
      },
      (reason: unknown) => saving.setState({ state: "failed", failure: toFailure(reason) }),
    );
    underWay.set(id, work);
    await work;
    if (underWay.get(id) === work) underWay.delete(id);
    return stored === latest();
  };

  const flushNow = () => void flush();

  /** Follows the draft until the composer is left, and stores the last change then. */
  const start = () => {
    const unsubscribe = store.subscribe(({ draft }, before) => {
      if (draft === before.draft) return;
      clearTimeout(timer);
      // It was undone. While a save is under way, what that stores is not known yet.
      if (draft === stored && !underWay.has(id)) return flushNow();
      if (saving.getState().state !== "changed") saving.setState({ state: "changed" });
      since ??= Date.now();
      timer = setTimeout(flushNow, Math.max(0, Math.min(PAUSE, since + LONGEST - Date.now())));
    });
    window.addEventListener("blur", flushNow);
    window.addEventListener("pagehide", flushNow);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      window.removeEventListener("blur", flushNow);
      window.removeEventListener("pagehide", flushNow);
      flushNow();
    };
  };

  /** The draft is gone; storing it again would bring it back. */
  const forget = () => {
    stored = latest();
  };

  return { saving, start, flush, forget };
}
