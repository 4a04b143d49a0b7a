// What the list of contacts is narrowed to. It is kept in the address, beside the contact that is open.

import { getRouteApi } from "@tanstack/react-router";
import type { ContactQuery } from "@/bindings/app";

export const route = getRouteApi("/inbox");

export type Search = ReturnType<typeof route.useSearch>;

/** What the address asks for. */
export function filterOf(workspace: string, search: Search): Omit<ContactQuery, "after" | "limit"> {
  const { q, number, unread, people } = search;
  return {
    workspace,
    search: q ?? null,
    number: number ?? null,
    unread: unread === "only" ? true : null,
    // After a batch to thousands, the few who answered would be among all who did not.
    people: people ?? "wrote",
  };
}

/** Whether only people who wait for an answer are asked for. */
export const isUnanswered = ({ people }: Search) => people === "unanswered" || people === "ending";

/** Whether it is narrowed to less than the people who wrote. */
export function isFiltered(search: Search): boolean {
  return isUnanswered(search) || Boolean(search.q ?? search.number ?? search.unread);
}

/** The address with these parts instead of those it has; empty ones are left out. */
export function withSearch(search: Search, change: { [K in keyof Search]?: Search[K] | undefined }): Search {
  const next = { ...search, ...change };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== "")) as Search;
}
