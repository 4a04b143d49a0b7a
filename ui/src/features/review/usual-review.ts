import { useQuery } from "@tanstack/react-query";
import type { TemplateRow } from "@/bindings/app";
import { queries } from "@/lib/ipc/queries";

/** Reviews that have to be known before they say what is usual. */
const ENOUGH = 10;
/** How long a review takes at most, as the channel says, in milliseconds. */
const STATED = 24 * 60 * 60_000;

/** What a review is expected to end within. */
export interface UsualReview {
  /** Milliseconds. */
  within: number;
  /** `seen`: nine of ten reviews here ended within it; `stated`: the channel says so. */
  source: "seen" | "stated";
}

export function useUsualReview(workspace: string): UsualReview {
  const times = useQuery(queries.reviewTimes({ workspace })).data;
  return times && times.decided >= ENOUGH && times.p90Ms != null
    ? { within: times.p90Ms, source: "seen" }
    : { within: STATED, source: "stated" };
}

/** Whether a template has been in review for longer than that; where nobody knows since when, it is not said. */
export function isOverdue({ status, archived, stateSince }: TemplateRow, usual: UsualReview): boolean {
  return status === "PENDING" && !archived && stateSince != null && Date.now() - stateSince > usual.within;
}
