import { useCallback, useLayoutEffect, useRef } from "react";

/** The same function for as long as the component stands, which always does what `run` of the last drawing does. */
export function useStable<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
