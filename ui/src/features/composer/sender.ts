import { useSenderName } from "@/lib/sender";
import { useComposer } from "./store";

/** Name of the number that will send the template. */
export function useSender(): string | undefined {
  const workspace = useComposer((state) => state.draft.workspace);
  const wabaIds = useComposer((state) => state.draft.wabaIds);
  return useSenderName(workspace, wabaIds);
}
