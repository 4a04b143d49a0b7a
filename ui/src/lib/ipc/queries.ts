// Every question the window asks, with the key its answer is kept under. Keys begin with a scope, then the
// workspace or identifier, so that an event can make a whole branch stale (`events.ts`).

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DeskError, EventQuery, ProjectionState, SendRequest, TemplateQuery } from "@/bindings/app";
import { call } from "./client";

export const keys = {
  bootstrap: () => ["bootstrap"] as const,
  workspace: (workspace: string) => ["workspace", workspace] as const,
  templates: (workspace: string) => ["templates", workspace] as const,
  template: (workspace: string, reference?: string) =>
    reference === undefined ? (["template", workspace] as const) : (["template", workspace, reference] as const),
  versions: (workspace: string, reference?: string) =>
    reference === undefined ? (["versions", workspace] as const) : (["versions", workspace, reference] as const),
  reviewBoard: (workspace: string) => ["reviewBoard", workspace] as const,
  languages: () => ["languages"] as const,
  drafts: (workspace: string) => ["drafts", workspace] as const,
  draft: (draft: string) => ["draft", draft] as const,
  plan: (draft: string) => ["plan", draft] as const,
  editContext: (draft?: string) =>
    draft === undefined ? (["editContext"] as const) : (["editContext", draft] as const),
  /** Of any format where none is named. */
  recentFiles: (format?: string) =>
    format === undefined ? (["recentFiles"] as const) : (["recentFiles", format] as const),
  sendForm: (workspace: string, reference?: string) =>
    reference === undefined ? (["sendForm", workspace] as const) : (["sendForm", workspace, reference] as const),
  sendPreview: (request: SendRequest) => ["sendPreview", request] as const,
  sends: (workspace: string) => ["sends", workspace] as const,
  send: (send: string) => ["send", send] as const,
  /** All workspaces where none is named. */
  events: (workspace?: string) => (workspace === undefined ? (["events"] as const) : (["events", workspace] as const)),
  event: (event: string) => ["event", event] as const,
  delivery: (seq?: number) => (seq === undefined ? (["delivery"] as const) : (["delivery", seq] as const)),
  comparison: (left: string, right: string) => ["comparison", left, right] as const,
  projection: () => ["projection"] as const,
  forwarding: () => ["forwarding"] as const,
  refusedDeliveries: () => ["refusedDeliveries"] as const,
  refusedDelivery: (id: string) => ["refusedDelivery", id] as const,
  storage: () => ["storage"] as const,
  contacts: (workspace: string) => ["contacts", workspace] as const,
  conversation: (workspace: string, contact?: string) =>
    contact === undefined ? (["conversation", workspace] as const) : (["conversation", workspace, contact] as const),
  insights: (workspace: string) => ["insights", workspace] as const,
  sandboxSettings: () => ["sandboxSettings"] as const,
  phones: () => ["phones"] as const,
  phoneMessages: (recipient?: string) =>
    recipient === undefined ? (["phoneMessages"] as const) : (["phoneMessages", recipient] as const),
  /** Why the last sync failed; written by events, never fetched. */
  syncFailure: (workspace: string) => ["syncFailure", workspace] as const,
};

const PAGE = 200;

/** From so many stored events on, reading them in is shown as progress. */
const MANY = 2_000;

/** Whether so much is being read in from the inbox that lists and figures are not complete yet. */
export function isReadingIn(state: ProjectionState | undefined): boolean {
  return state !== undefined && (state.rebuilding || state.behind > MANY);
}

export const queries = {
  bootstrap: () => queryOptions({ queryKey: keys.bootstrap(), queryFn: () => call("get_bootstrap", {}) }),

  workspace: (workspace: string) =>
    queryOptions({ queryKey: keys.workspace(workspace), queryFn: () => call("get_workspace", { workspace }) }),

  templates: (query: Omit<TemplateQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.templates(query.workspace), query] as const,
      queryFn: ({ pageParam }) => call("list_templates", { ...query, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
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

  reviewBoard: (workspace: string) =>
    queryOptions({ queryKey: keys.reviewBoard(workspace), queryFn: () => call("get_review_board", { workspace }) }),

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

  sends: (workspace: string) =>
    infiniteQueryOptions({
      queryKey: keys.sends(workspace),
      queryFn: ({ pageParam }) => call("list_sends", { workspace, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
    }),

  send: (send: string) => queryOptions({ queryKey: keys.send(send), queryFn: () => call("get_send", { send }) }),

  events: (query: Omit<EventQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.events(query.workspace ?? ""), query] as const,
      queryFn: ({ pageParam }) => call("list_events", { ...query, after: pageParam, limit: PAGE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
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

  contacts: (workspace: string) =>
    queryOptions({ queryKey: keys.contacts(workspace), queryFn: () => call("list_contacts", { workspace }) }),

  conversation: (workspace: string, contact: string) =>
    infiniteQueryOptions({
      queryKey: keys.conversation(workspace, contact),
      queryFn: ({ pageParam }) => call("list_conversation", { workspace, contact, after: pageParam, limit: 100 }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
    }),

  insights: (workspace: string) =>
    queryOptions({ queryKey: keys.insights(workspace), queryFn: () => call("get_insights", { workspace }) }),

  sandboxSettings: () =>
    queryOptions({ queryKey: keys.sandboxSettings(), queryFn: () => call("get_sandbox_settings", {}) }),

  phones: () => queryOptions({ queryKey: keys.phones(), queryFn: () => call("list_phones", {}) }),

  phoneMessages: (recipient: string) =>
    queryOptions({
      queryKey: keys.phoneMessages(recipient),
      queryFn: () => call("list_phone_messages", { recipient }),
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
