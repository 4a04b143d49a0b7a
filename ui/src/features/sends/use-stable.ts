import { useCallback, useLayoutEffect, useRef } from "react";

/** A function with a stable identity that calls the latest `run`. */
export function useStable<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
