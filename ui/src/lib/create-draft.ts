import { useNavigate } from "@tanstack/react-router";
import type { CreateDraft } from "@/bindings/app";
import { useWorkspace } from "./desk";
import { useFilteredWabas } from "./filtered-wabas";
import type { DeskFailure } from "./ipc/errors";
import { useCommand } from "./ipc/mutations";

interface Then {
  onSuccess?: () => void;
  onError?: (failure: DeskFailure) => void;
  /** Whether the draft takes the place of the screen shown, so that "back" does not lead to it. */
  replace?: boolean;
}

/** Begins a draft in the workspace shown, and goes there. */
export function useCreateDraft() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const filtered = useFilteredWabas(workspace.id);
  const { mutate, isPending, error } = useCommand("create_draft");
  const begin = (request: Omit<CreateDraft, "workspace">, { onSuccess, onError, replace = false }: Then = {}) =>
    mutate(
      { workspace: workspace.id, ...filtered, ...request },
      {
        onSuccess: ({ id }) => {
          onSuccess?.();
          void navigate({ to: "/drafts/$draft", params: { draft: id }, replace });
        },
        ...(onError ? { onError } : {}),
      },
    );
  return { begin, isPending, error };
}
