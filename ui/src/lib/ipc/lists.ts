// Options that the queries of lists share.

import type { QueryKey } from "@tanstack/react-query";

/** Rows of a page of an infinite list. */
export const PAGE_SIZE = 200;

/** The most rows that the host returns at a time. */
export const MAX_ROWS = 500;

/** How long a part of a list is cached after it was scrolled away, in milliseconds. */
export const SCROLLED_AWAY_GC_TIME = 15_000;

/**
 * Shows the previous data until the answer for a changed filter arrives, but only data under the same key: never that of
 * another workspace.
 */
export function keepPreviousUnder(key: QueryKey) {
  return <T>(previous: T | undefined, query: { queryKey: QueryKey } | undefined) =>
    query && key.every((part, index) => part === query.queryKey[index]) ? previous : undefined;
}
