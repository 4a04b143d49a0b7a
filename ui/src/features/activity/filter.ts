// What the list of events is narrowed to. It is kept in the address, so that a list can be come back to.

import { getRouteApi } from "@tanstack/react-router";
import type { EventQuery } from "@/bindings/app";

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

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2}))?$/;

/** A local time such as `2026-11-20T14:30` in Unix milliseconds. Without hours it is the beginning of the day. */
export function readTime(text: string | undefined): number | undefined {
  const parts = TIME.exec(text?.trim() ?? "");
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute);
  const same = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour && minute < 60;
  return same ? date.getTime() : undefined;
}

/** Unix milliseconds as a local time such as `2026-11-20T14:30`. */
export function writeTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant after the minute: the minute that was named belongs to the time asked for. */
function endOf(minute: number | undefined): number | undefined {
  return minute === undefined ? undefined : minute + 60_000;
}
