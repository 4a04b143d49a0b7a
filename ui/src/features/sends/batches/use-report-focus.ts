import { useEffect, useState } from "react";

/** Scrolls to the result of a check when it appears below the long form. */
export function useReportFocus(): () => void {
  const [reports, setReports] = useState(0);
  useEffect(() => {
    if (reports === 0) return;
    const heading = document.getElementById("batch-check");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "start" });
  }, [reports]);
  return () => setReports((before) => before + 1);
}
