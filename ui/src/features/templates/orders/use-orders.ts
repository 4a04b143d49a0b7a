import { useNavigate } from "@tanstack/react-router";
import type { PlanOrder, TemplateTarget } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";

/** Goes to an order, or away from it. The list behind it stays as it is. */
export function useOpenOrder(): (id: string | undefined) => void {
  const navigate = useNavigate({ from: "/templates" });
  return (id) =>
    void navigate({
      to: "/templates",
      search: ({ order: _, log: _log, ...before }) => (id === undefined ? before : { ...before, order: id }),
      replace: true,
    });
}

/** Has the host say what doing something to many templates would do, and shows it. Nothing is done yet. */
export function usePlanOrder() {
  const workspace = useWorkspace();
  const open = useOpenOrder();
  const { mutate, isPending } = useCommand("plan_order");
  const plan = (action: PlanOrder["action"], target: TemplateTarget) =>
    mutate({ workspace: workspace.id, action, target }, { onSuccess: ({ id }) => open(id), onError: showFailure });
  return { plan, isPending };
}
