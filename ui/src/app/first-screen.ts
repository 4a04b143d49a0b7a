// What the first screen shows, loaded before anything is drawn: a screen that is drawn once is there sooner than one that
// grows with each answer.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Bootstrap } from "@/bindings/app";
import { workspaceOf } from "@/lib/desk";
import { keys } from "@/lib/ipc/keys";
import { queries } from "@/lib/ipc/queries";
import { FIRST_ROWS } from "@/lib/row-window";
import { readFilter, templateQuery } from "@/lib/template-filter";
import { lastScreen, openingPath } from "./last-screen";
import { type AppRouter, createAppRouter } from "./router";

/** Longest time that the first screen waits for answers, in milliseconds. What is missing then is drawn when it comes. */
const MAX_WAIT = 250;

export const firstScreen = () =>
  queryOptions({
    queryKey: keys.firstScreen(),
    queryFn: ({ client }) => load(client),
    // The router, which is no JSON.
    structuralSharing: false,
    // Whatever becomes stale: the window has one router.
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
  });

/**
 * Loads the answers into the cache of queries, and opens the first screen. Screens report the failures of their own
 * queries.
 */
async function load(client: QueryClient): Promise<AppRouter> {
  // Forms read what was typed and not sent once, when they are first drawn.
  const forms = client.prefetchQuery(queries.unfinishedForms());
  try {
    const bootstrap = await client.fetchQuery(queries.bootstrap());
    const waited = new Promise((resolve) => setTimeout(resolve, MAX_WAIT));
    const router = createAppRouter(lastScreen(workspaceOf(bootstrap).id));
    await Promise.race([Promise.all([...answers(client, bootstrap), router.load()]), waited]);
    return router;
  } finally {
    await forms;
  }
}

/** The answers for the window around the screen, and for the list of templates if it is the first screen. */
function answers(client: QueryClient, bootstrap: Bootstrap): Promise<unknown>[] {
  const { id } = workspaceOf(bootstrap);
  const around = [client.prefetchQuery(queries.workspace(id)), client.prefetchQuery(queries.unread(id))];
  if (openingPath(id) !== "/templates") return around;
  const list = client.fetchQuery(queries.listViews(id)).then(
    ({ last }) => {
      const query = templateQuery(id, readFilter(last.templates ?? ""));
      return client.prefetchQuery(queries.templates(query, FIRST_ROWS.offset, FIRST_ROWS.limit));
    },
    // The list says so itself.
    () => undefined,
  );
  return [
    ...around,
    list,
    client.prefetchQuery(queries.templates(templateQuery(id, {}), 0, 1)),
    client.prefetchQuery(queries.drafts(id)),
    ...(bootstrap.preferences.firstSteps ? [client.prefetchQuery(queries.firstSteps(id))] : []),
  ];
}
