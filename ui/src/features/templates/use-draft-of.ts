import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";

/** The identifier of the draft of a new template with this name in a language. */
export function useDraftOf(name: string): (language: string) => string | undefined {
  const drafts = useQuery(queries.drafts(useWorkspace().id)).data;
  return (language) =>
    drafts?.find((draft) => draft.edits == null && draft.name === name && draft.language === language)?.id;
}
