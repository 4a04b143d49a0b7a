// The keys of the cache. They begin with a scope, then the workspace or identifier, so that an event can make a whole
// branch stale (`stale.ts`). A key that only one query of a feature needs is in the feature's `queries.ts`.

import type { SendRequest } from "@/bindings/app";

export const keys = {
  bootstrap: () => ["bootstrap"] as const,
  firstScreen: () => ["firstScreen"] as const,
  unfinishedForms: () => ["unfinishedForms"] as const,
  workspace: (workspace: string) => ["workspace", workspace] as const,
  templates: (workspace: string) => ["templates", workspace] as const,
  template: (workspace: string, reference?: string) =>
    reference === undefined ? (["template", workspace] as const) : (["template", workspace, reference] as const),
  versions: (workspace: string, reference?: string) =>
    reference === undefined ? (["versions", workspace] as const) : (["versions", workspace, reference] as const),
  history: (workspace: string) => ["history", workspace] as const,
  versionComparison: (workspace: string) => ["versionComparison", workspace] as const,
  removedTemplates: (workspace: string) => ["removedTemplates", workspace] as const,
  reviewBoard: (workspace: string) => ["reviewBoard", workspace] as const,
  accountNotices: (workspace: string) => ["accountNotices", workspace] as const,
  languageMatrix: (workspace: string) => ["languageMatrix", workspace] as const,
  listViews: (workspace: string) => ["listViews", workspace] as const,
  bulkActions: (workspace: string) => ["bulkActions", workspace] as const,
  bulkAction: (workspace: string, id: string) => ["bulkAction", workspace, id] as const,
  bulkActionItems: (workspace: string, id: string) => ["bulkActionItems", workspace, id] as const,
  countries: () => ["countries"] as const,
  languages: () => ["languages"] as const,
  firstSteps: (workspace: string) => ["firstSteps", workspace] as const,
  drafts: (workspace: string) => ["drafts", workspace] as const,
  editContext: (draft?: string) =>
    draft === undefined ? (["editContext"] as const) : (["editContext", draft] as const),
  /** Of any format where none is named. */
  recentFiles: (format?: string) =>
    format === undefined ? (["recentFiles"] as const) : (["recentFiles", format] as const),
  sendForm: (workspace: string, reference?: string) =>
    reference === undefined ? (["sendForm", workspace] as const) : (["sendForm", workspace, reference] as const),
  sendPreview: (request: SendRequest) => ["sendPreview", request] as const,
  /** Of anybody where nobody is named. */
  serviceWindow: (workspace: string, to?: string) =>
    to === undefined ? (["serviceWindow", workspace] as const) : (["serviceWindow", workspace, to] as const),
  sends: (workspace: string) => ["sends", workspace] as const,
  send: (send: string) => ["send", send] as const,
  recentContacts: (workspace: string) => ["recentContacts", workspace] as const,
  recipients: (workspace: string) => ["recipients", workspace] as const,
  optOuts: (workspace: string) => ["optOuts", workspace] as const,
  savedReplies: (workspace: string) => ["savedReplies", workspace] as const,
  batches: (workspace: string) => ["batches", workspace] as const,
  /** Of any batch where none is named. */
  batch: (batch?: string) => (batch === undefined ? (["batch"] as const) : (["batch", batch] as const)),
  batchGroups: (batch: string) => ["batchGroups", batch] as const,
  batchRows: (batch: string) => ["batchRows", batch] as const,
  /** All workspaces where none is named. */
  events: (workspace?: string) => (workspace === undefined ? (["events"] as const) : (["events", workspace] as const)),
  event: (event: string) => ["event", event] as const,
  delivery: (seq?: number) => (seq === undefined ? (["delivery"] as const) : (["delivery", seq] as const)),
  presence: () => ["presence"] as const,
  projection: () => ["projection"] as const,
  forwarding: () => ["forwarding"] as const,
  refusedDeliveries: () => ["refusedDeliveries"] as const,
  refusedDelivery: (id: string) => ["refusedDelivery", id] as const,
  endpoints: (workspace: string) => ["endpoints", workspace] as const,
  feeds: () => ["feeds"] as const,
  storage: () => ["storage"] as const,
  updates: () => ["updates"] as const,
  contacts: (workspace: string) => ["contacts", workspace] as const,
  foundMessages: (workspace: string) => ["foundMessages", workspace] as const,
  foundSends: (workspace: string) => ["foundSends", workspace] as const,
  /** Under the contacts: whatever changes these changes their count. */
  unread: (workspace: string) => ["contacts", workspace, "unread"] as const,
  conversation: (workspace: string, contact?: string) =>
    contact === undefined ? (["conversation", workspace] as const) : (["conversation", workspace, contact] as const),
  lastImport: (workspace: string) => ["lastImport", workspace] as const,
  rateCard: (workspace: string) => ["rateCard", workspace] as const,
  insights: (workspace: string) => ["insights", workspace] as const,
  phoneScripts: () => ["phoneScripts"] as const,
  sandboxSettings: () => ["sandboxSettings"] as const,
  phones: () => ["phones"] as const,
  phoneMessages: (recipient?: string) =>
    recipient === undefined ? (["phoneMessages"] as const) : (["phoneMessages", recipient] as const),
  /** How far the sync that is under way has come; written by events, never fetched. */
  syncProgress: (workspace: string) => ["syncProgress", workspace] as const,
  /** Why the last sync failed; written by events, never fetched. */
  syncFailure: (workspace: string) => ["syncFailure", workspace] as const,
};
