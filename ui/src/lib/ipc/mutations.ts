// Every command that changes something, with the answers it makes stale.

import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Batch, Order } from "@/bindings/app";
import { call } from "./client";
import type { DeskFailure } from "./errors";
import type { CommandName, RequestOf, ResponseOf } from "./host";
import { keys } from "./keys";

type Stale<C extends CommandName> = (request: RequestOf<C>, response: ResponseOf<C>) => QueryKey[];
type ChangingCommand =
  | "save_preferences"
  | "open_link"
  | "save_workspace"
  | "delete_workspace"
  | "test_connection"
  | "send_test_event"
  | "refresh_templates"
  | "cancel_refresh"
  | "save_list_views"
  | "plan_order"
  | "start_order"
  | "cancel_order"
  | "retry_order"
  | "undo_order"
  | "discard_order"
  | "export_templates"
  | "archive_template"
  | "unarchive_template"
  | "delete_template"
  | "look_for_template"
  | "create_draft"
  | "delete_draft"
  | "import_template"
  | "rewrite_template"
  | "pick_file"
  | "inspect_file"
  | "submit_draft"
  | "cancel_submission"
  | "send_template"
  | "send_text"
  | "save_recipient"
  | "delete_recipients"
  | "choose_csv"
  | "plan_batch"
  | "start_batch"
  | "cancel_batch"
  | "resume_batch"
  | "export_batch"
  | "export_insights"
  | "set_receiver"
  | "save_sandbox_settings"
  | "decide_review"
  | "choose_import"
  | "run_import"
  | "resume_import"
  | "forget_import"
  | "cancel_import"
  | "tap_button"
  | "type_text"
  | "send_phone_file"
  | "add_phone"
  | "read_phone"
  | "save_phone_script"
  | "get_media"
  | "save_media"
  | "refresh_secrets"
  | "replay_events"
  | "rebuild_projection"
  | "verify_signatures"
  | "export_events"
  | "set_forwarding"
  | "forward_stored"
  | "preview_retention"
  | "set_retention"
  | "apply_retention"
  | "back_up"
  | "check_backup"
  | "restore_backup"
  | "cancel_restore"
  | "check_files";

const templateBranches = ({ workspace }: { workspace: string }): QueryKey[] => [
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
  keys.editContext(),
];

const draftBranches = (workspace: string): QueryKey[] => [keys.drafts(workspace), keys.reviewBoard(workspace)];

/** What is read from the projection of the inbox. */
const PROJECTED: QueryKey[] = [
  keys.events(),
  ["event"],
  ["contacts"],
  ["conversation"],
  ["insights"],
  ["sends"],
  ["send"],
  ["template"],
  ["history"],
];

const batchBranches = (_: unknown, { id, workspace }: Batch): QueryKey[] => [
  keys.batches(workspace),
  keys.batch(id),
  keys.batchRows(id),
];

const orderBranches = (_: unknown, { id, workspace }: Order): QueryKey[] => [
  keys.orders(workspace),
  keys.order(workspace, id),
  keys.orderItems(workspace, id),
];

const STALE: { [C in ChangingCommand]: Stale<C> } = {
  save_preferences: () => [keys.bootstrap(), keys.presence()],
  open_link: () => [],
  save_workspace: (_, { id }) => [keys.bootstrap(), keys.workspace(id), keys.endpoints(id), keys.sendForm(id)],
  delete_workspace: () => [keys.bootstrap()],
  test_connection: () => [],
  send_test_event: ({ workspace }) => [keys.endpoints(workspace), keys.events()],
  refresh_templates: templateBranches,
  cancel_refresh: () => [],
  // The answer is put in place by whoever saves.
  save_list_views: () => [],
  plan_order: orderBranches,
  start_order: orderBranches,
  cancel_order: orderBranches,
  retry_order: orderBranches,
  undo_order: orderBranches,
  discard_order: ({ workspace }) => [keys.orders(workspace)],
  export_templates: () => [],
  archive_template: templateBranches,
  unarchive_template: templateBranches,
  delete_template: templateBranches,
  look_for_template: templateBranches,
  create_draft: ({ workspace }) => draftBranches(workspace),
  delete_draft: () => [["drafts"], ["reviewBoard"]],
  import_template: ({ workspace }) => draftBranches(workspace),
  rewrite_template: () => [],
  pick_file: () => [keys.recentFiles()],
  inspect_file: () => [keys.recentFiles()],
  submit_draft: () => [...ANY_TEMPLATE, ["drafts"]],
  cancel_submission: () => [],
  send_template: ({ workspace }) => [keys.sends(workspace), keys.sendForm(workspace), keys.contacts(workspace)],
  send_text: ({ workspace }) => [keys.sends(workspace), keys.contacts(workspace), keys.conversation(workspace)],
  save_recipient: ({ workspace }) => [keys.recipients(workspace)],
  delete_recipients: ({ workspace }) => [keys.recipients(workspace)],
  choose_csv: () => [],
  // A plan is no batch to be seen before it is started.
  plan_batch: () => [],
  start_batch: batchBranches,
  cancel_batch: batchBranches,
  resume_batch: batchBranches,
  export_batch: () => [],
  export_insights: () => [],
  set_receiver: () => [keys.bootstrap()],
  save_sandbox_settings: () => [keys.sandboxSettings()],
  decide_review: () => ANY_TEMPLATE,
  // A plan changes nothing.
  choose_import: () => [],
  run_import: (_, { workspace }) => [...ANY_TEMPLATE, keys.lastImport(workspace)],
  resume_import: (_, { workspace }) => [...ANY_TEMPLATE, keys.lastImport(workspace)],
  forget_import: () => [["lastImport"]],
  cancel_import: () => [],
  tap_button: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  type_text: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  send_phone_file: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  add_phone: () => [keys.phones()],
  read_phone: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  save_phone_script: () => [keys.phones(), keys.phoneScripts()],
  // The answer is put in place by whoever asks for the file.
  get_media: () => [],
  save_media: () => [],
  refresh_secrets: () => [keys.bootstrap(), ["workspace"]],
  replay_events: (_, { changed }) => (changed === 0 ? [] : PROJECTED),
  rebuild_projection: () => [keys.projection()],
  verify_signatures: () => [],
  export_events: () => [],
  set_forwarding: () => [keys.forwarding()],
  forward_stored: () => [],
  preview_retention: () => [],
  set_retention: () => [keys.storage()],
  apply_retention: () => [keys.storage(), keys.delivery()],
  back_up: () => [keys.storage()],
  check_backup: () => [],
  restore_backup: () => [keys.storage()],
  cancel_restore: () => [keys.storage()],
  check_files: () => [keys.storage()],
};

/** A changing command as a mutation; its failure is always a `DeskFailure`. */
export function useCommand<C extends ChangingCommand>(
  name: C,
): UseMutationResult<ResponseOf<C>, DeskFailure, RequestOf<C>> {
  const client = useQueryClient();
  return useMutation<ResponseOf<C>, DeskFailure, RequestOf<C>>({
    mutationKey: [name],
    mutationFn: (request) => call(name, request),
    onSuccess: (response, request) => {
      for (const queryKey of STALE[name](request, response)) void client.invalidateQueries({ queryKey });
    },
  });
}
