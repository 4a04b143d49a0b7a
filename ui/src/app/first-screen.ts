// What the first screen shows, loaded before anything is drawn: a screen that is drawn once is there sooner than one that
// grows with each answer.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { workspaceOf } from "@/lib/desk";
import { keys } from "@/lib/ipc/keys";
import { queries } from "@/lib/ipc/queries";
import { FIRST_ROWS } from "@/lib/row-window";
import { readFilter, templateQuery } from "@/lib/template-filter";

/** Longest time that the first screen waits for answers, in milliseconds. What is missing then is drawn when it comes. */
const MAX_WAIT = 250;

export const firstScreen = () =>
  queryOptions({
    queryKey: keys.firstScreen(),
    queryFn: async ({ client }) => {
      await load(client);
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Loads the answers into the cache of queries. Screens report the failures of their own queries. */
async function load(client: QueryClient): Promise<void> {
  // Nothing of the person's is drawn without it, so it is waited for however long it takes.
  const forms = client.prefetchQuery(queries.unfinishedForms());
  const { id } = workspaceOf(await client.fetchQuery(queries.bootstrap()));
  const list = client.fetchQuery(queries.listViews(id)).then(({ last }) => {
    const query = templateQuery(id, readFilter(last.templates ?? ""));
    return client.prefetchQuery(queries.templates(query, FIRST_ROWS.offset, FIRST_ROWS.limit));
  });
  const others = [
    client.prefetchQuery(queries.templates(templateQuery(id, {}), 0, 1)),
    client.prefetchQuery(queries.workspace(id)),
    client.prefetchQuery(queries.unread(id)),
    client.prefetchQuery(queries.drafts(id)),
    client.prefetchQuery(queries.firstSteps(id)),
  ];
  const waited = new Promise((resolve) => setTimeout(resolve, MAX_WAIT));
  await Promise.all([forms, Promise.race([Promise.allSettled([list, ...others]), waited])]);
}
