import { useQuery } from "@tanstack/react-query";
import { queries } from "@/lib/ipc/queries";
import { useComposer } from "./store";

/** Name of the number that will send the template: of its WABAs, else the first of the workspace. */
export function useSender(): string | undefined {
  const workspace = useComposer((state) => state.draft.workspace);
  const wabaIds = useComposer((state) => state.draft.wabaIds);
  const numbers = useQuery(queries.workspace(workspace)).data?.settings.numbers ?? [];
  const number = numbers.find(({ wabaId }) => wabaIds.includes(wabaId)) ?? numbers[0];
  return number?.label || undefined;
}
