// Where a conversation is scrolled to. The list is turned around (`column-reverse`): position 0 is its end, positions
// above are negative, and messages that are added above move nothing.

import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** So close to the end, in pixels, new messages scroll into view. */
const NEAR_END = 80;
/** So close to the beginning, in pixels, older messages are fetched. */
const NEAR_START = 600;

interface ThreadScroll {
  /** Identifies the newest message. */
  newest: string | undefined;
  /** Whether the newest message is ours, and not yet sent: then it is shown wherever the list was. */
  isSending: boolean;
  /** Called near the beginning. */
  onStart: () => void;
}

export function useThreadScroll({ newest, isSending, onStart }: ThreadScroll) {
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef<{ newest: string | undefined; height: number }>(undefined);
  const [away, setAway] = useState(false);
  /** The newest message when the list was last at its end. */
  const [seen, setSeen] = useState(newest);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const { newest: last, height } = before.current ?? { newest, height: list.scrollHeight };
    before.current = { newest, height: list.scrollHeight };
    if (newest === last) return;
    const isAway = -list.scrollTop > NEAR_END;
    if (isSending || !isAway) list.scrollTop = 0;
    // What is being read stays where it is.
    else list.scrollTop -= list.scrollHeight - height;
    if (isSending || !isAway) setSeen(newest);
  });

  const onScroll = () => {
    const list = scroller.current;
    if (!list) return;
    before.current = { newest: before.current?.newest, height: list.scrollHeight };
    const isAway = -list.scrollTop > NEAR_END;
    setAway(isAway);
    if (!isAway) setSeen(newest);
    if (list.scrollHeight - list.clientHeight + list.scrollTop < NEAR_START) onStart();
  };

  const toEnd = () => scroller.current?.scrollTo({ top: 0, behavior: "smooth" });
  return { scroller, onScroll, toEnd, isAway: away, hasNew: away && seen !== newest };
}

/**
 * Scrolls to the element with this identifier once it is there; nothing where none is named. It stays in view while
 * pictures are loaded, until there is a newer message than `newest`.
 */
export function useShownAtFirst(id: string | undefined, newest: string | undefined): void {
  const done = useRef(false);
  const keep = useKeptInView(newest);
  useEffect(() => {
    if (id === undefined || done.current) return;
    done.current = true;
    const element = document.getElementById(id);
    if (element) keep(element, "start");
  }, [id, keep]);
}

/** `keepInView` until the newest message is another, or the conversation is left. */
function useKeptInView(newest: string | undefined): (element: HTMLElement, block: ScrollLogicalPosition) => void {
  const end = useRef<() => void>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer message ends it
  useEffect(() => () => end.current?.(), [newest]);
  return useCallback((element, block) => {
    end.current?.();
    end.current = keepInView(element, block);
  }, []);
}

interface FoundMessage {
  /** Identifier of its element. */
  id: string | undefined;
  /** Identifies the newest message. */
  newest: string | undefined;
  isLoaded: boolean;
  /** Whether older messages can be fetched now. */
  hasOlder: boolean;
  onOlder: () => void;
}

/** Scrolls to a message that a search found, and fetches older ones until it is there. */
export function useFoundMessage({ id, newest, isLoaded, hasOlder, onOlder }: FoundMessage): void {
  const shown = useRef<string>(undefined);
  const keep = useKeptInView(newest);
  const fetchOlder = useEffectEvent(onOlder);
  useEffect(() => {
    if (id === undefined || shown.current === id) return;
    if (!isLoaded) {
      if (hasOlder) fetchOlder();
      return;
    }
    shown.current = id;
    const element = document.getElementById(id);
    if (!element) return;
    element.focus({ preventScroll: true });
    keep(element, "center");
  }, [id, isLoaded, hasOlder, keep]);
}

/** Input that ends `keepInView`: the person looks at something else. */
const MOVES = ["wheel", "keydown", "pointerdown", "touchmove"] as const;

/** Scrolls to an element, and again when pictures around it are loaded, until the person scrolls. Returns what ends it. */
function keepInView(element: HTMLElement, block: ScrollLogicalPosition): () => void {
  const show = () => element.scrollIntoView({ block });
  show();
  const list = element.parentElement;
  if (!list) return () => undefined;
  const observer = new ResizeObserver(show);
  const end = () => {
    observer.disconnect();
    for (const move of MOVES) window.removeEventListener(move, end, true);
  };
  observer.observe(list);
  for (const move of MOVES) window.addEventListener(move, end, { capture: true, passive: true });
  return end;
}
