// What an event or a command makes stale. Every query that shows changed data refetches because of a row in this file.

import type { QueryKey } from "@tanstack/react-query";
import type { Batch, BulkAction, DeskEvent } from "@/bindings/app";
import type { CommandName, RequestOf, ResponseOf } from "./host";
import { keys } from "./keys";

type EventOf<T extends DeskEvent["type"]> = Extract<DeskEvent, { type: T }>;

const templateBranches = (workspace: string): QueryKey[] => [
  keys.templates(workspace),
  keys.template(workspace),
  keys.versions(workspace),
  keys.versionComparison(workspace),
  keys.history(workspace),
  keys.removedTemplates(workspace),
  keys.editContext(),
  keys.reviewBoard(workspace),
  keys.languageMatrix(workspace),
  keys.sendForm(workspace),
  keys.firstSteps(workspace),
];

const templatesOfEvent = ({ workspace }: { workspace: string }): QueryKey[] => [
  ...templateBranches(workspace),
  ["sendPreview"],
  ["batchPreview"],
  keys.insights(workspace),
];

/** What shows templates, where the request does not name the workspace. */
const ANY_TEMPLATE: QueryKey[] = [
  ["templates"],
  ["template"],
  ["versions"],
  ["versionComparison"],
  ["history"],
  ["reviewBoard"],
  ["languageMatrix"],
  ["sendForm"],
  ["firstSteps"],
  keys.editContext(),
];

const draftBranches = (workspace: string): QueryKey[] => [keys.drafts(workspace), keys.reviewBoard(workspace)];

const sendBranches = (workspace: string): QueryKey[] => [
  keys.firstSteps(workspace),
  keys.sends(workspace),
  keys.recentContacts(workspace),
  // Of the batch on the screen, its counts. Its rows may be many pages: their list asks for them at its own pace.
  keys.batch(),
  keys.batches(workspace),
  keys.conversation(workspace),
  // A text may have failed because the window is closed.
  keys.serviceWindow(workspace),
  keys.contacts(workspace),
  keys.insights(workspace),
  keys.phones(),
  keys.phoneMessages(),
];

/** What says what messages cost. */
const costBranches = (workspace: string): QueryKey[] => [
  keys.rateCard(workspace),
  keys.insights(workspace),
  keys.batch(),
  ["preflight"],
];

/** What shows messages of contacts, besides their conversations. */
const messageBranches = (workspace: string): QueryKey[] => [
  keys.contacts(workspace),
  keys.foundMessages(workspace),
  keys.serviceWindow(workspace),
  keys.recentContacts(workspace),
  // Replies are shown on the pages of their sends.
  ["send"],
  keys.phones(),
  keys.phoneMessages(),
];

/** What is read from the projection of the inbox. */
const PROJECTED: QueryKey[] = [
  keys.events(),
  ["event"],
  ["contacts"],
  ["foundMessages"],
  ["conversation"],
  ["insights"],
  ["sends"],
  ["send"],
  ["template"],
  ["history"],
  ["accountNotices"],
];

/** What shows people by their names in the address book. */
const recipientBranches = (workspace: string): QueryKey[] => [
  keys.recipients(workspace),
  keys.contacts(workspace),
  keys.conversation(workspace),
];

const batchBranches = (_: unknown, { id, workspace }: Batch): QueryKey[] => [
  keys.batches(workspace),
  keys.foundSends(workspace),
  keys.batch(id),
  keys.batchRows(id),
  keys.batchGroups(id),
  ["batchComparison"],
];

/** What depends on who has stopped marketing messages. */
const optOutBranches = (workspace: string): QueryKey[] => [
  keys.conversation(workspace),
  keys.optOuts(workspace),
  keys.recipients(workspace),
  ["sendPreview"],
];

const bulkActionBranches = (_: unknown, { id, workspace }: BulkAction): QueryKey[] => [
  keys.bulkActions(workspace),
  keys.bulkAction(workspace, id),
  keys.bulkActionItems(workspace, id),
];

const AFTER_EVENT: { [T in DeskEvent["type"]]: (event: EventOf<T>) => QueryKey[] } = {
  templateStatusChanged: templatesOfEvent,
  templateCategoryChanged: templatesOfEvent,
  templateQualityChanged: templatesOfEvent,
  templatesChanged: templatesOfEvent,
  listingIncomplete: () => [],
  // It follows `templatesChanged`.
  templatesRemoved: () => [],
  bulkActionProgress: ({ workspace, id }) => [
    keys.bulkActions(workspace),
    keys.bulkAction(workspace, id),
    keys.bulkActionItems(workspace, id),
  ],
  syncProgress: () => [],
  // The listing may be unchanged, but "as of" is not.
  syncFinished: ({ workspace }) => [
    // It may show what became of a submission.
    keys.drafts(workspace),
    keys.templates(workspace),
    keys.languageMatrix(workspace),
    keys.template(workspace),
    keys.sendForm(workspace),
    ["sendPreview"],
    ["batchPreview"],
  ],
  syncFailed: () => [],
  sendUpdated: ({ workspace, id }) => [...sendBranches(workspace), keys.send(id)],
  sendsUpdated: ({ workspace }) => [...sendBranches(workspace), ["send"]],
  batchProgress: ({ workspace, id, state }) => [
    keys.batches(workspace),
    keys.batch(id),
    ...(state === "running" ? [] : [keys.batchGroups(id)]),
  ],
  eventsStored: ({ workspaces }) => [
    keys.events(),
    // Statuses of messages that were sent elsewhere have no events of their own.
    ...workspaces.flatMap((workspace) => [
      keys.insights(workspace),
      keys.endpoints(workspace),
      keys.contacts(workspace),
      keys.conversation(workspace),
      keys.sends(workspace),
      keys.optOuts(workspace),
    ]),
  ],
  messageReceived: ({ workspace, contact }) => [...messageBranches(workspace), keys.conversation(workspace, contact)],
  messagesReceived: ({ workspace }) => [...messageBranches(workspace), keys.conversation(workspace)],
  accountNotice: ({ workspace }) => [keys.accountNotices(workspace)],
  webhooksFailing: ({ workspace }) => [keys.bootstrap(), keys.refusedDeliveries(), keys.endpoints(workspace)],
  tokenExpiring: () => [keys.bootstrap()],
  open: () => [],
  linkOpened: () => [],
  preferencesChanged: () => [],
  updatesChanged: () => [keys.updates()],
  windowHidden: () => [],
  closeAsked: () => [],
  receiverChanged: () => [keys.bootstrap(), keys.refusedDeliveries(), ["endpoints"]],
  feedsChanged: () => [keys.feeds()],
  workspacesChanged: () => [keys.bootstrap(), ["workspace"], ["sendForm"]],
  // The clock that reply windows are reckoned by may have changed.
  healthChanged: ({ workspace }) => [
    keys.bootstrap(),
    keys.serviceWindow(workspace),
    keys.conversation(workspace),
    keys.contacts(workspace),
  ],
  keyringChanged: () => [keys.bootstrap(), ["workspace"]],
  draftSaved: ({ workspace }) => [keys.drafts(workspace), keys.reviewBoard(workspace)],
  submissionProgress: () => [],
  // Progress is in the event; only the last one, without a file, changes the stored import.
  importProgress: ({ workspace, file }) => (file === "" ? [keys.lastImport(workspace)] : []),
  filesDragged: () => [],
  // What was read in while much was waiting is shown when it is complete; the progress itself is in the event.
  projectionProgress: ({ done, total }) =>
    done < total
      ? []
      : [
          keys.events(),
          ["event"],
          ["contacts"],
          ["foundMessages"],
          ["conversation"],
          ["history"],
          ["insights"],
          ["sends"],
          ["send"],
          keys.batch(),
          ["batchRows"],
          ["batches"],
        ],
  storageChanged: () => [keys.storage()],
  // A script is used up by the messages it is for.
  sandboxChanged: () => [keys.phones(), keys.phoneMessages(), keys.phoneScripts(), keys.sandboxSettings()],
};

const AFTER_COMMAND = {
  set_login_start: () => [keys.presence()],
  answer_close: () => [],
  save_preferences: () => [keys.bootstrap(), keys.presence()],
  set_window_language: () => [],
  open_link: () => [],
  save_workspace: (_, { id }) => [
    keys.bootstrap(),
    keys.workspace(id),
    keys.endpoints(id),
    keys.sendForm(id),
    // Whether its number is still there.
    keys.batch(),
  ],
  delete_workspace: () => [keys.bootstrap()],
  test_connection: () => [],
  send_test_event: ({ workspace }) => [keys.endpoints(workspace), keys.events()],
  refresh_templates: ({ workspace }) => templateBranches(workspace),
  cancel_refresh: () => [],
  // The caller updates the query itself.
  save_list_views: () => [],
  plan_bulk_action: bulkActionBranches,
  start_bulk_action: bulkActionBranches,
  cancel_bulk_action: bulkActionBranches,
  retry_bulk_action: bulkActionBranches,
  undo_bulk_action: bulkActionBranches,
  discard_bulk_action: ({ workspace }) => [keys.bulkActions(workspace)],
  export_templates: () => [],
  archive_template: ({ workspace }) => templateBranches(workspace),
  unarchive_template: ({ workspace }) => templateBranches(workspace),
  delete_template: ({ workspace }) => templateBranches(workspace),
  look_for_template: ({ workspace }) => templateBranches(workspace),
  create_draft: ({ workspace }) => draftBranches(workspace),
  delete_draft: () => [["drafts"], ["reviewBoard"]],
  restore_draft: () => [["drafts"], ["reviewBoard"]],
  rewrite_template: () => [],
  pick_file: () => [keys.recentFiles()],
  inspect_file: () => [keys.recentFiles()],
  submit_draft: () => [...ANY_TEMPLATE, ["drafts"]],
  cancel_submission: () => [],
  send_template: ({ workspace }) => [
    keys.sends(workspace),
    keys.sendForm(workspace),
    keys.contacts(workspace),
    keys.foundSends(workspace),
  ],
  send_text: ({ workspace }) => [
    keys.sends(workspace),
    keys.contacts(workspace),
    keys.conversation(workspace),
    keys.foundSends(workspace),
  ],
  // Its event follows.
  cancel_send: () => [],
  save_recipient: ({ workspace }) => [...recipientBranches(workspace), ["batchPreview"]],
  delete_recipients: ({ workspace }) => recipientBranches(workspace),
  // The file is read; nothing is stored.
  import_recipients: () => [],
  store_recipient_import: ({ workspace }) => [...recipientBranches(workspace), ["batchPreview"]],
  undo_recipient_import: ({ workspace }) => [...recipientBranches(workspace), ["batchPreview"]],
  export_recipients: () => [],
  choose_csv: () => [],
  // A plan is not listed as a batch.
  plan_batch: () => [],
  plan_batch_side: () => [],
  set_csv_header: () => [],
  reread_csv: () => [],
  // Who is left may be other people than the page counted.
  retarget_batch: ({ batch }) => [keys.batchGroups(batch)],
  start_batch: batchBranches,
  cancel_batch: batchBranches,
  resume_batch: batchBranches,
  end_batch: batchBranches,
  export_batch: () => [],
  spread_batch: ({ batch }) => [["batch", batch]],
  plan_round: ({ batch }, round) => [...batchBranches(undefined, round), keys.batchGroups(batch)],
  discard_round: () => [["batches"], ["batch"], ["batchGroups"]],
  export_batch_replies: () => [],
  export_insights: () => [],
  set_receiver: () => [keys.bootstrap()],
  check_feed: () => [],
  save_feed: () => [keys.feeds()],
  delete_feed: () => [keys.feeds()],
  dismiss_feed_gap: () => [keys.feeds()],
  save_sandbox_settings: () => [keys.sandboxSettings()],
  // Everything about its workspace.
  reset_sandbox: () => [[]],
  decide_review: () => ANY_TEMPLATE,
  // A plan changes nothing.
  choose_import: () => [],
  run_import: (_, { workspace }) => [...ANY_TEMPLATE, keys.lastImport(workspace)],
  resume_import: (_, { workspace }) => [...ANY_TEMPLATE, keys.lastImport(workspace)],
  forget_import: () => [["lastImport"]],
  cancel_import: () => [],
  tap_button: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  type_text: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  revise_phone_message: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  choose_phone_marketing: () => [keys.phones()],
  send_phone_file: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  add_phone: () => [keys.phones()],
  read_phone: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  save_phone_script: () => [keys.phones(), keys.phoneScripts()],
  save_saved_reply: ({ workspace }) => [keys.savedReplies(workspace)],
  delete_saved_reply: ({ workspace }) => [keys.savedReplies(workspace)],
  mark_read: ({ workspace }) => [keys.contacts(workspace)],
  mark_unread: ({ workspace }) => [keys.contacts(workspace)],
  set_no_answer_until: ({ workspace }) => [keys.contacts(workspace), keys.conversation(workspace)],
  note_marketing: ({ workspace }) => optOutBranches(workspace),
  add_opt_out: ({ workspace }) => optOutBranches(workspace),
  add_opt_outs: ({ workspace }) => optOutBranches(workspace),
  save_opt_out_words: ({ workspace }) => [keys.optOuts(workspace)],
  export_opt_outs: () => [],
  import_rate_card: ({ workspace }) => costBranches(workspace),
  remove_rate_card: ({ workspace }) => costBranches(workspace),
  export_sample_rate_card: () => [],
  import_opt_outs: ({ workspace }) => optOutBranches(workspace),
  store_opt_outs: ({ workspace }) => optOutBranches(workspace),
  undo_opt_out_import: ({ workspace }) => optOutBranches(workspace),
  // The caller updates the query itself.
  get_media: () => [],
  save_media: () => [],
  refresh_secrets: () => [keys.bootstrap(), ["workspace"]],
  dismiss_account_notice: ({ workspace }) => [keys.accountNotices(workspace)],
  replay_events: (_, { changed }) => (changed === 0 ? [] : PROJECTED),
  rebuild_projection: () => [keys.projection()],
  verify_signatures: () => [],
  export_events: () => [],
  set_forwarding: () => [keys.forwarding()],
  forward_stored: () => [],
  preview_retention: () => [],
  set_retention: () => [keys.storage()],
  apply_retention: () => [keys.storage(), keys.delivery()],
  save_update_settings: () => [keys.updates()],
  check_for_updates: () => [keys.updates()],
  install_update: () => [keys.updates()],
  back_up: () => [keys.storage()],
  check_backup: () => [],
  restore_backup: () => [keys.storage()],
  cancel_restore: () => [keys.storage()],
  check_files: () => [keys.storage()],
  // The host saves what it answered last.
  get_diagnostics: () => [],
  save_diagnostics: () => [],
  open_log_folder: () => [],
} satisfies { [C in CommandName]?: (request: RequestOf<C>, response: ResponseOf<C>) => QueryKey[] };

/** Commands that change something. */
export type ChangingCommand = keyof typeof AFTER_COMMAND;

export function staleAfterEvent(event: DeskEvent): QueryKey[] {
  // An event of a newer host has no row; it makes nothing stale.
  const row = AFTER_EVENT[event.type] as ((event: DeskEvent) => QueryKey[]) | undefined;
  return row?.(event) ?? [];
}

export function staleAfterCommand<C extends ChangingCommand>(
  name: C,
  request: RequestOf<C>,
  response: ResponseOf<C>,
): QueryKey[] {
  const row = AFTER_COMMAND[name] as (request: RequestOf<C>, response: ResponseOf<C>) => QueryKey[];
  return row(request, response);
}
