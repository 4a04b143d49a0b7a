import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CompareVersions, DeskError, HistoryKind, ItemState, MatrixQuery } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder, PAGE_SIZE, SCROLLED_AWAY_GC_TIME } from "@/lib/ipc/lists";
import type { TemplatesQuery } from "@/lib/ipc/queries";

/** Entries of a history at a time. */
const HISTORY_PAGE = 50;

/** What a sync has read so far. */
interface SyncProgress {
  pages: number;
  templates: number;
  total: number | null;
}

export const templatesQueries = {
  /** The starters in all their languages. */
  starters: () =>
    queryOptions({
      queryKey: ["starters"] as const,
      queryFn: () => call("list_starters", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  languageMatrix: (query: Omit<MatrixQuery, "query"> & { query: TemplatesQuery }, offset: number, limit: number) =>
    queryOptions({
      queryKey: [...keys.languageMatrix(query.query.workspace), query, offset, limit] as const,
      queryFn: async () => ({
        ...(await call("get_language_matrix", { ...query, query: { ...query.query, offset, limit } })),
        offset,
      }),
      placeholderData: keepPreviousUnder(keys.languageMatrix(query.query.workspace)),
      gcTime: SCROLLED_AWAY_GC_TIME,
    }),

  bulkActions: (workspace: string) =>
    queryOptions({ queryKey: keys.bulkActions(workspace), queryFn: () => call("list_bulk_actions", { workspace }) }),

  bulkActionItems: (workspace: string, id: string, state: ItemState | null) =>
    infiniteQueryOptions({
      queryKey: [...keys.bulkActionItems(workspace, id), state ?? ""] as const,
      queryFn: ({ pageParam }) => call("get_bulk_action", { workspace, id, state, after: pageParam, limit: PAGE_SIZE }),
      initialPageParam: null as number | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.bulkActionItems(workspace, id)),
    }),

  template: (workspace: string, reference: string) =>
    queryOptions({
      queryKey: keys.template(workspace, reference),
      queryFn: () => call("get_template", { workspace, reference }),
    }),

  versions: (workspace: string, reference: string) =>
    queryOptions({
      queryKey: keys.versions(workspace, reference),
      queryFn: () => call("list_versions", { workspace, reference }),
    }),

  /** Two versions and what they differ in; `current` names what the provider has now. */
  versionComparison: (request: CompareVersions) =>
    queryOptions({
      queryKey: [...keys.versionComparison(request.workspace), request] as const,
      queryFn: () => call("compare_versions", request),
      placeholderData: keepPreviousData,
    }),

  /** What happened to a template, newest first; of any kind where none is named. */
  history: (workspace: string, reference: string, kinds: HistoryKind[]) =>
    infiniteQueryOptions({
      queryKey: [...keys.history(workspace), reference, kinds] as const,
      queryFn: ({ pageParam }) =>
        call("get_history", { workspace, reference, kinds, offset: pageParam, limit: HISTORY_PAGE }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const shown = pages.reduce((sum, { entries }) => sum + entries.length, 0);
        return last.entries.length > 0 && shown < last.total ? shown : undefined;
      },
      placeholderData: keepPreviousData,
    }),

  removedTemplates: (workspace: string) =>
    queryOptions({
      queryKey: keys.removedTemplates(workspace),
      queryFn: () => call("list_removed", { workspace }),
    }),

  syncProgress: (workspace: string) =>
    queryOptions<SyncProgress | null>({
      queryKey: keys.syncProgress(workspace),
      queryFn: () => null,
      initialData: null,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),

  syncFailure: (workspace: string) =>
    queryOptions<DeskError | null>({
      queryKey: keys.syncFailure(workspace),
      queryFn: () => null,
      initialData: null,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
};
