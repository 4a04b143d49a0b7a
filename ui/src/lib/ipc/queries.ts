// Every question the window asks. The keys that answers are kept under are in `keys.ts`.

import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from "@tanstack/react-query";
import type {
  CompareVersions,
  ContactQuery,
  DeskError,
  EventQuery,
  FunnelQuery,
  HistoryKind,
  ItemState,
  MatrixQuery,
  ProjectionState,
  RangeQuery,
  RecipientQuery,
  RowState,
  SendQuery,
  SendRequest,
  SendText,
  TemplateQuery,
} from "@/bindings/app";
import { call } from "./client";
import { keys, type Planned } from "./keys";

const PAGE = 200;

/** Entries of a history at a time. */
const HISTORY_PAGE = 50;

/** How long a part of a list is kept after it was scrolled away, in milliseconds. */
const PART_KEPT = 15_000;

/** A question about templates, whatever part of the answer is shown. */
export type TemplatesAsked = Omit<TemplateQuery, "offset" | "limit">;

/** What a sync has read so far. */
export interface SyncProgress {
  pages: number;
  templates: number;
  total: number | null;
}

/** From so many stored events on, reading them in is shown as progress. */
const MANY = 2_000;

/** Whether so much is being read in from the inbox that lists and figures are not complete yet. */
export function isReadingIn(state: ProjectionState | undefined): boolean {
  return state !== undefined && (state.rebuilding || state.behind > MANY);
}

/**
 * The previous data stays until the answer for a changed filter arrives, where both are under the same key:
 * nothing of another workspace ever does.
 */
function keepUnder(key: QueryKey) {
  return <T>(before: T | undefined, asked: { queryKey: QueryKey } | undefined) =>
    asked && key.every((part, place) => part === asked.queryKey[place]) ? before : undefined;
}

export const queries = {
  bootstrap: () => queryOptions({ queryKey: keys.bootstrap(), queryFn: () => call("get_bootstrap", {}) }),

  workspace: (workspace: string) =>
    queryOptions({ queryKey: keys.workspace(workspace), queryFn: () => call("get_workspace", { workspace }) }),

  endpoints: (workspace: string) =>
    queryOptions({
      queryKey: keys.endpoints(workspace),
      queryFn: () => call("get_endpoints", { workspace }),
      // No event tells of a single refusal: a stranger could flood the window with them.
      refetchInterval: 5_000,
    }),

  /** Some rows of a list of any length; `offset` in the answer says from where on. */
  templates: (query: TemplatesAsked, offset: number, limit: number) =>
    queryOptions({
      queryKey: [...keys.templates(query.workspace), query, offset, limit] as const,
      queryFn: async () => ({ ...(await call("list_templates", { ...query, offset, limit })), offset }),
      placeholderData: keepUnder(keys.templates(query.workspace)),
      // Rows that were scrolled away are fetched again: only a part of the list is in memory.
      gcTime: PART_KEPT,
    }),

  languageMatrix: (query: Omit<MatrixQuery, "query"> & { query: TemplatesAsked }, offset: number, limit: number) =>
    queryOptions({
      queryKey: [...keys.languageMatrix(query.query.workspace), query, offset, limit] as const,
      queryFn: async () => ({
        ...(await call("get_language_matrix", { ...query, query: { ...query.query, offset, limit } })),
        offset,
      }),
      placeholderData: keepUnder(keys.languageMatrix(query.query.workspace)),
      gcTime: PART_KEPT,
    }),

  /** What the lists of templates were narrowed to last, and the filters that were given a name. */
  listViews: (workspace: string) =>
    queryOptions({
      queryKey: keys.listViews(workspace),
      queryFn: () => call("get_list_views", { workspace }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  bulkActions: (workspace: string) =>
    queryOptions({ queryKey: keys.bulkActions(workspace), queryFn: () => call("list_bulk_actions", { workspace }) }),

  /** The bulk action with its counts; its items are a question of their own. */
  bulkAction: (workspace: string, id: string) =>
    queryOptions({
      queryKey: keys.bulkAction(workspace, id),
      queryFn: async () => (await call("get_bulk_action", { workspace, id, limit: 1 })).bulkAction,
    }),

  bulkActionItems: (workspace: string, id: string, state: ItemState | null) =>
    infiniteQueryOptions({
      queryKey: [...keys.bulkActionItems(workspace, id), state ?? ""] as const,
      queryFn: ({ pageParam }) => call("get_bulk_action", { workspace, id, state, after: pageParam, limit: PAGE }),
      initialPageParam: null as number | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepUnder(keys.bulkActionItems(workspace, id)),
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

  /** What a push would do. Never refetched automatically. */
  importPlan: (planned: Planned) =>
    queryOptions({
      queryKey: keys.importPlan(planned),
      queryFn: () =>
        planned.kind === "folder" ? call("plan_import", planned.request) : call("plan_copy", planned.request),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  lastImport: (workspace: string) =>
    queryOptions({
      queryKey: keys.lastImport(workspace),
      queryFn: () => call("last_import", { workspace }),
    }),

  removedTemplates: (workspace: string) =>
    queryOptions({
      queryKey: keys.removedTemplates(workspace),
      queryFn: () => call("list_removed", { workspace }),
    }),

  /** Templates by status; `limit` are the rows of a column. */
  reviewBoard: (query: TemplatesAsked, limit: number) =>
    queryOptions({
      queryKey: [...keys.reviewBoard(query.workspace), query, limit] as const,
      queryFn: () => call("get_review_board", { ...query, offset: 0, limit }),
      placeholderData: keepUnder(keys.reviewBoard(query.workspace)),
    }),

  languages: () =>
    queryOptions({
      queryKey: keys.languages(),
      queryFn: () => call("list_languages", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  drafts: (workspace: string) =>
    queryOptions({ queryKey: keys.drafts(workspace), queryFn: () => call("list_drafts", { workspace }) }),

  draft: (draft: string) =>
    queryOptions({
      queryKey: keys.draft(draft),
      queryFn: () => call("get_draft", { draft }),
      // The composer owns the draft while it is open; a refetch must not overwrite what is being typed.
      staleTime: 0,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),

  plan: (draft: string) =>
    queryOptions({
      queryKey: keys.plan(draft),
      queryFn: () => call("plan_submission", { draft }),
      gcTime: 0,
      staleTime: 0,
    }),

  /** Only of a draft that edits a template. */
  editContext: (draft: string) =>
    queryOptions({ queryKey: keys.editContext(draft), queryFn: () => call("get_edit_context", { draft }) }),

  recentFiles: (format: string) =>
    queryOptions({
      queryKey: keys.recentFiles(format),
      queryFn: () => call("list_recent_files", { format }),
      // Files come and go outside the app.
      staleTime: 0,
    }),

  sendForm: (workspace: string, reference: string) =>
    queryOptions({
      queryKey: keys.sendForm(workspace, reference),
      queryFn: () => call("get_send_form", { workspace, reference }),
    }),

  sendPreview: (request: SendRequest) =>
    queryOptions({
      queryKey: keys.sendPreview(request),
      queryFn: () => call("preview_send", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  textPreview: (request: SendText) =>
    queryOptions({
      queryKey: keys.textPreview(request),
      queryFn: () => call("preview_text", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  preflight: (request: SendRequest) =>
    queryOptions({
      queryKey: keys.preflight(request),
      queryFn: () => call("preflight_send", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  /** A linked picture is fetched once: it is only a preview beside a form. */
  linkPicture: (workspace: string, url: string) =>
    queryOptions({
      queryKey: keys.linkPicture(workspace, url),
      queryFn: () => call("get_link_picture", { workspace, url }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  serviceWindow: (workspace: string, to: string) =>
    queryOptions({
      queryKey: keys.serviceWindow(workspace, to),
      queryFn: () => call("get_service_window", { workspace, to }),
    }),

  sends: (query: Omit<SendQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.sends(query.workspace), query] as const,
      queryFn: ({ pageParam }) => call("list_sends", { ...query, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepUnder(keys.sends(query.workspace)),
    }),

  send: (send: string) => queryOptions({ queryKey: keys.send(send), queryFn: () => call("get_send", { send }) }),

  recipients: (query: RecipientQuery) =>
    queryOptions({
      queryKey: [...keys.recipients(query.workspace), query] as const,
      queryFn: () => call("list_recipients", query),
      placeholderData: keepUnder(keys.recipients(query.workspace)),
      // Each send changes "last sent": refetched with the screen, not with every status.
      staleTime: 0,
    }),

  batches: (workspace: string) =>
    queryOptions({ queryKey: keys.batches(workspace), queryFn: () => call("list_batches", { workspace }) }),

  /** The batch with its counts; its rows are a question of their own. */
  batch: (batch: string) =>
    queryOptions({ queryKey: keys.batch(batch), queryFn: () => call("get_batch", { batch, limit: 1 }) }),

  batchRows: (batch: string, state: RowState | undefined) =>
    infiniteQueryOptions({
      queryKey: [...keys.batchRows(batch), state ?? ""] as const,
      queryFn: ({ pageParam }) => call("get_batch", { batch, state: state ?? null, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
    }),

  events: (query: Omit<EventQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.events(query.workspace ?? ""), query] as const,
      queryFn: ({ pageParam }) => call("list_events", { ...query, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepUnder(keys.events(query.workspace ?? "")),
      // The list says itself when it asks again, and for its first page alone: there may be hundreds.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: false,
    }),

  event: (event: string) => queryOptions({ queryKey: keys.event(event), queryFn: () => call("get_event", { event }) }),

  delivery: (seq: number) =>
    queryOptions({ queryKey: keys.delivery(seq), queryFn: () => call("get_delivery", { seq }) }),

  comparison: (left: string, right: string) =>
    queryOptions({
      queryKey: keys.comparison(left, right),
      queryFn: () => call("compare_events", { left, right }),
      // What came in never changes.
      staleTime: Number.POSITIVE_INFINITY,
    }),

  presence: () =>
    queryOptions({
      queryKey: keys.presence(),
      queryFn: () => call("get_presence", {}),
      // The desktop may start a tray or a service for notifications at any time.
      refetchInterval: 10_000,
    }),

  projection: () =>
    queryOptions({
      queryKey: keys.projection(),
      queryFn: () => call("get_projection", {}),
      // Events tell of its progress; this mends what a reload of the page missed.
      refetchInterval: ({ state }) => (isReadingIn(state.data) ? 5_000 : false),
    }),

  forwarding: () =>
    queryOptions({
      queryKey: keys.forwarding(),
      queryFn: () => call("get_forwarding", {}),
      refetchInterval: ({ state }) => (state.data?.url == null ? false : 2_000),
    }),

  refusedDeliveries: () =>
    queryOptions({
      queryKey: keys.refusedDeliveries(),
      queryFn: () => call("list_refused_deliveries", {}),
      // No event tells of a refusal: a stranger could flood the window with them.
      refetchInterval: 5_000,
    }),

  refusedDelivery: (id: string) =>
    queryOptions({
      queryKey: keys.refusedDelivery(id),
      queryFn: () => call("get_refused_delivery", { id }),
      // A secret may have been corrected since: the diagnosis is made when it is looked at.
      staleTime: 0,
    }),

  storage: () => queryOptions({ queryKey: keys.storage(), queryFn: () => call("get_storage", {}) }),

  contacts: (query: Omit<ContactQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.contacts(query.workspace), query] as const,
      queryFn: ({ pageParam }) => call("list_contacts", { ...query, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepUnder(keys.contacts(query.workspace)),
    }),

  conversation: (workspace: string, contact: string) =>
    infiniteQueryOptions({
      queryKey: keys.conversation(workspace, contact),
      queryFn: ({ pageParam }) => call("list_conversation", { workspace, contact, after: pageParam, limit: 100 }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
    }),

  media: (workspace: string, event: string) =>
    queryOptions({
      queryKey: keys.media(workspace, event),
      // Without the token, because the person has not asked for the file.
      queryFn: () => call("get_media", { workspace, event, withToken: false }),
      // A file never changes.
      staleTime: Number.POSITIVE_INFINITY,
      // What is shown may have many megabytes.
      gcTime: 60_000,
    }),

  insights: (workspace: string) =>
    queryOptions({
      queryKey: [...keys.insights(workspace), "overview"],
      queryFn: () => call("get_insights", { workspace }),
    }),

  funnel: (query: FunnelQuery) => {
    // Rows of one grouping have no meaning in another.
    const key = [...keys.insights(query.workspace), "funnel", query.by] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_funnel", query),
      placeholderData: keepUnder(key),
    });
  },

  reviewTimes: (query: RangeQuery) => {
    const key = [...keys.insights(query.workspace), "reviews"] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_review_times", query),
      placeholderData: keepUnder(key),
    });
  },

  pricing: (query: RangeQuery) => {
    const key = [...keys.insights(query.workspace), "pricing"] as const;
    return queryOptions({
      queryKey: [...key, query],
      queryFn: () => call("get_pricing", query),
      placeholderData: keepUnder(key),
    });
  },

  phoneScripts: () => queryOptions({ queryKey: keys.phoneScripts(), queryFn: () => call("list_phone_scripts", {}) }),

  failureCodes: () =>
    queryOptions({
      queryKey: keys.failureCodes(),
      queryFn: () => call("list_failure_codes", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  sandboxSettings: () =>
    queryOptions({ queryKey: keys.sandboxSettings(), queryFn: () => call("get_sandbox_settings", {}) }),

  phones: () => queryOptions({ queryKey: keys.phones(), queryFn: () => call("list_phones", {}) }),

  phoneMessages: (recipient: string) =>
    queryOptions({
      queryKey: keys.phoneMessages(recipient),
      queryFn: () => call("list_phone_messages", { recipient }),
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
