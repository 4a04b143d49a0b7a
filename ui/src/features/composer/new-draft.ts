import { useEffect } from "react";
import type { Draft } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
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

/** Deletes a blank draft when the composer is left without any change: it would only be one more "New template". */
export function useDiscardUntouched(store: ComposerStore): void {
  const { mutate } = useCommand("delete_draft");
  useEffect(
    () => () => {
      const { draft, past, future } = store.getState();
      if (past.length === 0 && future.length === 0 && isBlank(draft)) mutate({ draft: draft.id });
    },
    [store, mutate],
  );
}
