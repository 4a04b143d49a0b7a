// The queries that several features use. Those of one feature are in its `queries.ts`; `keys.ts` has the keys of both.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { CheckRecipient, ProjectionState, RecipientQuery, TemplateQuery } from "@/bindings/app";
import { loadUnfinishedForms } from "../unfinished-forms";
import { call } from "./client";
import { keys } from "./keys";
import { keepPreviousUnder, SCROLLED_AWAY_GC_TIME } from "./lists";
import { untilNextEnd } from "./next-end";

/** A query of templates without the part of the answer that is shown. */
export type TemplatesQuery = Omit<TemplateQuery, "offset" | "limit">;

/** From so many events behind, the projection is shown as progress. */
const MAX_HIDDEN_BACKLOG = 2_000;

/** Whether so many events are not projected yet that lists and figures are incomplete. */
export function isCatchingUp(state: ProjectionState | undefined): boolean {
  return state !== undefined && (state.rebuilding || state.behind > MAX_HIDDEN_BACKLOG);
}

export const queries = {
  bootstrap: () => queryOptions({ queryKey: keys.bootstrap(), queryFn: () => call("get_bootstrap", {}) }),

  /** Loads the unfinished forms, once. */
  unfinishedForms: () =>
    queryOptions({
      queryKey: keys.unfinishedForms(),
      queryFn: async () => {
        await loadUnfinishedForms();
        return true;
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),

  updates: () => queryOptions({ queryKey: keys.updates(), queryFn: () => call("get_updates", {}) }),

  workspace: (workspace: string) =>
    queryOptions({ queryKey: keys.workspace(workspace), queryFn: () => call("get_workspace", { workspace }) }),

  /** A window of rows of a list of any length, with its `offset`. */
  templates: (query: TemplatesQuery, offset: number, limit: number) =>
    queryOptions({
      queryKey: [...keys.templates(query.workspace), query, offset, limit] as const,
      queryFn: async () => ({ ...(await call("list_templates", { ...query, offset, limit })), offset }),
      placeholderData: keepPreviousUnder(keys.templates(query.workspace)),
      // Rows that were scrolled away are fetched again: only a part of the list is in memory.
      gcTime: SCROLLED_AWAY_GC_TIME,
    }),

  /** Templates by status or by account; `limit` are the rows of a column. */
  reviewBoard: (query: TemplatesQuery, byAccount: boolean, limit: number) =>
    queryOptions({
      queryKey: [...keys.reviewBoard(query.workspace), query, byAccount, limit] as const,
      queryFn: () => call("get_review_board", { query: { ...query, offset: 0, limit }, byAccount }),
      placeholderData: keepPreviousUnder(keys.reviewBoard(query.workspace)),
    }),

  sendingNotices: (workspace: string, number: string, isReply: boolean) =>
    queryOptions({
      queryKey: [...keys.accountNotices(workspace), number, isReply] as const,
      queryFn: () => call("list_sending_notices", { workspace, number, isReply }),
      ...untilNextEnd,
    }),

  accountNotices: (workspace: string) =>
    queryOptions({
      queryKey: keys.accountNotices(workspace),
      queryFn: () => call("list_account_notices", { workspace }),
      ...untilNextEnd,
    }),

  feeds: () => queryOptions({ queryKey: keys.feeds(), queryFn: () => call("list_feeds", {}) }),

  foundContacts: (workspace: string, search: string, limit: number) =>
    queryOptions({
      queryKey: [...keys.contacts(workspace), "found", search, limit] as const,
      queryFn: () => call("list_contacts", { workspace, search, people: "everyone", limit }),
      gcTime: SCROLLED_AWAY_GC_TIME,
    }),

  foundRecipients: (workspace: string, search: string) =>
    queryOptions({
      queryKey: [...keys.recipients(workspace), "found", search] as const,
      queryFn: () => call("list_recipients", { workspace, search }),
      gcTime: SCROLLED_AWAY_GC_TIME,
    }),

  recipients: (query: RecipientQuery) =>
    queryOptions({
      queryKey: [...keys.recipients(query.workspace), query] as const,
      queryFn: () => call("list_recipients", query),
      placeholderData: keepPreviousUnder(keys.recipients(query.workspace)),
      // Each send changes "last sent": refetched with the screen, not with every status.
      staleTime: 0,
    }),

  recipientCheck: (request: CheckRecipient) =>
    queryOptions({
      queryKey: ["recipientCheck", request],
      queryFn: () => call("check_recipient", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  savedReplies: (workspace: string) =>
    queryOptions({
      queryKey: keys.savedReplies(workspace),
      queryFn: () => call("list_saved_replies", { workspace }),
    }),

  countries: () =>
    queryOptions({
      queryKey: keys.countries(),
      queryFn: () => call("list_countries", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The phones of the sandbox, newest first. */
  phones: () => queryOptions({ queryKey: keys.phones(), queryFn: () => call("list_phones", {}) }),

  /** How many contacts have unread messages. */
  unread: (workspace: string) =>
    queryOptions({
      queryKey: keys.unread(workspace),
      queryFn: () => call("count_unread", { workspace }),
    }),

  /** What was already done in the workspace. */
  firstSteps: (workspace: string) =>
    queryOptions({
      queryKey: keys.firstSteps(workspace),
      queryFn: () => call("get_first_steps", { workspace }),
    }),

  drafts: (workspace: string) =>
    queryOptions({ queryKey: keys.drafts(workspace), queryFn: () => call("list_drafts", { workspace }) }),

  /** The last filters of the lists of templates, and the saved views. */
  listViews: (workspace: string) =>
    queryOptions({
      queryKey: keys.listViews(workspace),
      queryFn: () => call("get_list_views", { workspace }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The bulk action with its counts; its items are a query of the feature. */
  bulkAction: (workspace: string, id: string) =>
    queryOptions({
      queryKey: keys.bulkAction(workspace, id),
      queryFn: async () => (await call("get_bulk_action", { workspace, id, limit: 1 })).bulkAction,
    }),

  languages: () =>
    queryOptions({
      queryKey: keys.languages(),
      queryFn: () => call("list_languages", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** A linked picture is fetched once: it is a preview. */
  linkPicture: (workspace: string, url: string, sandboxOnly: boolean) =>
    queryOptions({
      queryKey: ["linkPicture", workspace, url, sandboxOnly],
      queryFn: () => call("get_link_picture", { workspace, url, sandboxOnly }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  projection: () =>
    queryOptions({
      queryKey: keys.projection(),
      queryFn: () => call("get_projection", {}),
      // Events report its progress; this corrects what a reload of the page missed.
      refetchInterval: ({ state }) => (isCatchingUp(state.data) ? 5_000 : false),
    }),

  refusedDelivery: (id: string) =>
    queryOptions({
      queryKey: keys.refusedDelivery(id),
      queryFn: () => call("get_refused_delivery", { id }),
      // A secret may have been corrected since: the diagnosis is made when it is looked at.
      staleTime: 0,
    }),
};
