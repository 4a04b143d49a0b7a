import { useState } from "react";

/** Rows by which the part of a list that is at hand moves, where a row is a line. */
const STEP = 100;

/** What is asked for of a list before anything of it was in sight. */
export const FIRST_ROWS = { offset: 0, limit: 3 * STEP };

/**
 * Which part of a long list is asked for: the rows in sight with a step before and after them, so that scrolling never
 * comes to a row that is not there yet. However long the list is, no more than this is held.
 */
export function useRowWindow(step = STEP) {
  const [start, setStart] = useState(0);
  return {
    offset: Math.max(0, start - step),
    limit: 3 * step,
    /** Called with the visible range. */
    onRange: (first: number, last: number) => setStart(Math.floor((first + last) / 2 / step) * step),
  };
}
