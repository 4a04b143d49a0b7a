import { useQuery } from "@tanstack/react-query";
import { queries } from "./ipc/queries";

/** Name of the number that sends a template of these WABAs, else of the first number of the workspace. */
export function useSenderName(workspace: string, wabaIds: readonly string[]): string | undefined {
  const numbers = useQuery(queries.workspace(workspace)).data?.settings.numbers ?? [];
  const number = numbers.find(({ wabaId }) => wabaId != null && wabaIds.includes(wabaId)) ?? numbers[0];
  return number?.label || undefined;
}
