import type { AccountNotice } from "@/bindings/app";

type Ending = Pick<AccountNotice, "endsAt"> | { notices: Pick<AccountNotice, "endsAt">[] };

/** The longest wait, in milliseconds: timers of the browser overflow after 24 days. */
const MAX_WAIT = 24 * 60 * 60 * 1000;
/** The shortest wait, in milliseconds: a timer may be a little early. */
const MIN_WAIT = 500;

/** Milliseconds until the first of these notices, or of those they hold, ends; `false` if none says when. */
export function msToNextEnd(notices: readonly Ending[] | undefined, now: number): number | false {
  const all = (notices ?? []).flatMap((notice) => ("notices" in notice ? notice.notices : notice));
  const ends = all.flatMap(({ endsAt }) => endsAt ?? []);
  if (ends.length === 0) return false;
  return Math.min(Math.max(Math.min(...ends) - now, MIN_WAIT), MAX_WAIT);
}

/** For queries: a list of notices is fetched again when one of them ends, also while the window has no focus. */
export const untilNextEnd = {
  refetchInterval: ({ state }: { state: { data: readonly Ending[] | undefined } }) =>
    msToNextEnd(state.data, Date.now()),
  refetchIntervalInBackground: true,
};
