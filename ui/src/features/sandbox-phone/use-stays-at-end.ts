import { type RefObject, useEffect, useRef } from "react";

/** So close to its end, in pixels, a conversation stays there while it grows. */
const NEAR_END = 60;

/**
 * Scrolls the conversation around `list` to its end for a new message, and keeps it there when the message grows: a
 * picture has no height until it is loaded.
 */
export function useStaysAtEnd(list: RefObject<HTMLElement | null>, newest: string | undefined): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const content = list.current;
    const wall = content?.parentElement;
    if (!content || !wall) return;
    const toEnd = () => {
      if (isAtEnd.current) wall.scrollTop = wall.scrollHeight;
    };
    const look = () => {
      isAtEnd.current = wall.scrollHeight - wall.clientHeight - wall.scrollTop < NEAR_END;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(content);
    observer.observe(wall);
    wall.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      wall.removeEventListener("scroll", look);
    };
  }, [list]);
  useEffect(() => {
    const wall = list.current?.parentElement;
    if (newest === undefined || !wall) return;
    isAtEnd.current = true;
    wall.scrollTop = wall.scrollHeight;
  }, [list, newest]);
}
