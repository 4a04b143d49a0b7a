import { QueryClient } from "@tanstack/react-query";
import type { DeskFailure } from "./errors";

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: DeskFailure;
  }
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // Commands answer from SQLite and events tell what changed: asking again on its own would be noise, and a
        // failure is shown at once with a way to repeat it.
        retry: false,
        networkMode: "always",
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  // For `quiet.ts`.
  if (navigator.webdriver) window.__queries = client;
  return client;
}
