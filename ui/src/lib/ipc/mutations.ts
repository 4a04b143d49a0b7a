// Every command that changes something, with the answers it makes stale.

import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "./client";
import type { DeskFailure } from "./errors";
import type { CommandName, RequestOf, ResponseOf } from "./host";
import { keys } from "./queries";

type Stale<C extends CommandName> = (request: RequestOf<C>, response: ResponseOf<C>) => QueryKey[];
type ChangingCommand =
  | "save_preferences"
  | "open_link"
  | "save_workspace"
  | "delete_workspace"
  | "test_connection"
  | "refresh_templates"
  | "archive_template"
  | "unarchive_template"
  | "delete_template"
  | "create_draft"
  | "delete_draft"
  | "import_template"
  | "rewrite_template"
  | "pick_file"
  | "inspect_file"
  | "submit_draft"
  | "cancel_submission"
  | "send_template"
  | "set_receiver"
  | "save_sandbox_settings"
  | "decide_review"
  | "tap_button"
  | "type_text"
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
  keys.editContext(),
  keys.reviewBoard(workspace),
  keys.sendForm(workspace),
];

/** What shows templates, where the request does not name the workspace. */
const ANY_TEMPLATE: QueryKey[] = [
  ["templates"],
  ["template"],
  ["versions"],
  ["reviewBoard"],
  ["sendForm"],
  keys.editContext(),
];

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
];

const STALE: { [C in ChangingCommand]: Stale<C> } = {
  save_preferences: () => [keys.bootstrap()],
  open_link: () => [],
  save_workspace: (_, { id }) => [keys.bootstrap(), keys.workspace(id), keys.sendForm(id)],
  delete_workspace: () => [keys.bootstrap()],
  test_connection: () => [],
  refresh_templates: templateBranches,
  archive_template: templateBranches,
  unarchive_template: templateBranches,
  delete_template: templateBranches,
  create_draft: ({ workspace }) => [keys.drafts(workspace)],
  delete_draft: () => [["drafts"]],
  import_template: ({ workspace }) => [keys.drafts(workspace)],
  rewrite_template: () => [],
  pick_file: () => [keys.recentFiles()],
  inspect_file: () => [keys.recentFiles()],
  submit_draft: () => [...ANY_TEMPLATE, ["drafts"]],
  cancel_submission: () => [],
  send_template: ({ workspace }) => [keys.sends(workspace), keys.sendForm(workspace), keys.contacts(workspace)],
  set_receiver: () => [keys.bootstrap()],
  save_sandbox_settings: () => [keys.sandboxSettings()],
  decide_review: () => ANY_TEMPLATE,
  tap_button: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
  type_text: ({ recipient }) => [keys.phones(), keys.phoneMessages(recipient)],
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
