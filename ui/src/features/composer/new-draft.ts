import { useEffect } from "react";
import type { Draft, EditContext } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { isUnchanged } from "./guidance";
import { type ComposerStore, filesOf } from "./store";

/** Whether a draft of a new template has neither a name nor content. */
export function isBlank(draft: Draft): boolean {
  const { name, components } = draft.template;
  return (
    draft.edits == null &&
    draft.jsonText == null &&
    name === "" &&
    filesOf(draft).length === 0 &&
    components.every((component) => component.type === "BODY" && (component.text ?? "") === "")
  );
}

/** Whether the draft of an edit has the template as it is, and nothing else. */
function isEditWithoutChange(draft: Draft, context: EditContext | undefined): boolean {
  if (context === undefined || draft.edits == null) return false;
  const hasOthers = draft.jsonText != null || draft.administration != null || filesOf(draft).length > 0;
  return !hasOthers && isUnchanged("", draft, context);
}

/**
 * Deletes a blank draft, or an edit that is equal to its template, when the composer is left without any change: it would
 * only be one more draft in the list.
 */
export function useDiscardUntouched(store: ComposerStore): void {
  const { mutate } = useCommand("delete_draft");
  useEffect(
    () => () => {
      const { draft, context, past, future } = store.getState();
      const isUntouched = past.length === 0 && future.length === 0;
      if (isUntouched && (isBlank(draft) || isEditWithoutChange(draft, context))) mutate({ draft: draft.id });
    },
    [store, mutate],
  );
}
