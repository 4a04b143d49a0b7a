import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Draft } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";

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

export type SaveState = "saved" | "saving" | "changed" | "failed";

/** Stores the draft by itself: a moment after the last change and at most a second after the
 * first, when the window loses the focus, and on leaving. */
export function useAutosave(draft: Draft) {
  const [state, setState] = useState<SaveState>("saved");
  const [failure, setFailure] = useState<DeskFailure>();
  const latest = useRef(draft);
  const stored = useRef(draft);
  const mounted = useRef(true);
  /** When the oldest change that is not stored was made. */
  const since = useRef<number>(undefined);
  latest.current = draft;

  /** Stores what is not stored yet. Resolves to whether everything is. */
  const flush = async (): Promise<boolean> => {
    // Whoever waits first goes first; the others wait for that one too.
    for (let work = underWay.get(draft.id); work; work = underWay.get(draft.id)) await work;
    if (latest.current === stored.current) return true;
    const saving = latest.current;
    since.current = undefined;
    if (mounted.current) setState("saving");
    const work = call("save_draft", saving).then(
      () => {
        stored.current = saving;
        if (!mounted.current) return;
        setFailure(undefined);
        setState(latest.current === saving ? "saved" : "changed");
      },
      (reason: unknown) => {
        if (!mounted.current) return;
        setFailure(toFailure(reason));
        setState("failed");
      },
    );
    underWay.set(draft.id, work);
    await work;
    if (underWay.get(draft.id) === work) underWay.delete(draft.id);
    return stored.current === latest.current;
  };

  const flushLatest = useEffectEvent(() => void flush());

  useEffect(() => {
    if (draft === stored.current) return;
    setState("changed");
    since.current ??= Date.now();
    const left = since.current + LONGEST - Date.now();
    const timer = setTimeout(() => flushLatest(), Math.max(0, Math.min(PAUSE, left)));
    return () => clearTimeout(timer);
  }, [draft]);

  useEffect(() => {
    mounted.current = true;
    const onLeave = () => flushLatest();
    window.addEventListener("blur", onLeave);
    window.addEventListener("pagehide", onLeave);
    return () => {
      mounted.current = false;
      window.removeEventListener("blur", onLeave);
      window.removeEventListener("pagehide", onLeave);
    };
  }, []);

  // The last change is stored on leaving. An effect event may not be called while unmounting, hence the reference.
  const leave = useRef(flush);
  leave.current = flush;
  useEffect(() => () => void leave.current(), []);

  /** The draft is gone; storing it again would bring it back. */
  const forget = () => {
    stored.current = latest.current;
  };

  return { state, failure, flush, forget };
}
