// What the list of events is narrowed to. It is kept in the address, so that a list can be come back to.

import { getRouteApi } from "@tanstack/react-router";
import type { EventQuery } from "@/bindings/app";
import { readTime } from "@/lib/local-time";

export const route = getRouteApi("/activity");

export type Search = ReturnType<typeof route.useSearch>;
export type Filter = Omit<EventQuery, "after" | "limit">;

/** The parameters of the address that narrow the list. */
export const FILTERS = ["q", "kind", "status", "number", "template", "contact", "from", "to"] as const;
export type FilterName = (typeof FILTERS)[number];

/** What the address asks for. A time that cannot be read asks for nothing. */
export function filterOf(workspace: string, search: Search): Filter {
  return {
    workspace,
    kind: search.kind ?? null,
    status: search.status ?? null,
    number: search.number ?? null,
    template: search.template ?? null,
    contact: search.contact ?? null,
    search: search.q ?? null,
    from: readTime(search.from) ?? null,
    to: endOf(readTime(search.to)) ?? null,
  };
}

/** The address with these filters instead of those it has; an empty one is left out. */
export function withFilters(search: Search, change: Partial<Record<FilterName, string | undefined>>): Search {
  const next = { ...search, ...change };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== "")) as Search;
}

/** The instant after the minute, because the range includes the minute. */
function endOf(minute: number | undefined): number | undefined {
  return minute === undefined ? undefined : minute + 60_000;
}
