import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";

/** Pixels a pressed mouse moves before it swipes instead of clicking. */
const THRESHOLD = 6;

/** Lets a mouse swipe a scrolling list as a finger does; a swipe that ends on a button does not press it. */
export function useSwipe(list: RefObject<HTMLElement | null>) {
  const start = useRef<{ x: number; scrolled: number }>(undefined);
  const swiped = useRef(false);

  const end = () => {
    start.current = undefined;
    list.current?.removeAttribute("data-swiping");
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      swiped.current = false;
      if (event.pointerType !== "mouse" || event.button !== 0 || !list.current) return;
      start.current = { x: event.clientX, scrolled: list.current.scrollLeft };
    },
    onPointerMove: (event: PointerEvent) => {
      if (!start.current || !list.current) return;
      const moved = event.clientX - start.current.x;
      if (!swiped.current && Math.abs(moved) < THRESHOLD) return;
      swiped.current = true;
      // While it is swiped the list does not snap to cards.
      list.current.setAttribute("data-swiping", "");
      list.current.scrollLeft = start.current.scrolled - moved;
    },
    onPointerUp: end,
    onPointerLeave: end,
    onClickCapture: (event: MouseEvent) => {
      if (!swiped.current) return;
      swiped.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
