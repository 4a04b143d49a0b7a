import { useNavigate } from "@tanstack/react-router";
import type { PlanBulkAction, TemplateTarget } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";

/** Goes to a bulk action, or away from it. The list behind it stays as it is. */
export function useOpenBulkAction(): (id: string | undefined) => void {
  const navigate = useNavigate({ from: "/templates" });
  return (id) =>
    void navigate({
      to: "/templates",
      search: ({ bulkAction: _, log: _log, ...before }) => (id === undefined ? before : { ...before, bulkAction: id }),
      replace: true,
    });
}

/** Has the host say what doing something to many templates would do, and shows it. Nothing is done yet. */
export function usePlanBulkAction() {
  const workspace = useWorkspace();
  const open = useOpenBulkAction();
  const { mutate, isPending } = useCommand("plan_bulk_action");
  const plan = (action: PlanBulkAction["action"], target: TemplateTarget) =>
    mutate({ workspace: workspace.id, action, target }, { onSuccess: ({ id }) => open(id), onError: showFailure });
  return { plan, isPending };
}
