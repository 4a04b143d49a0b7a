import { startTransition, useEffect, useState } from "react";

/** Whether the first frame of a component is being drawn or was. What that frame does not show can be made afterwards. */
export function useIsDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isDrawn;
}
