import { useQuery } from "@tanstack/react-query";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";

/** What a sending number of the workspace is called; nothing where it has no name. */
export function useNumberName(): (number: string) => string | undefined {
  const numbers = useQuery(queries.workspace(useWorkspace().id)).data?.settings.numbers;
  return (number) => numbers?.find(({ id }) => id === number)?.label || undefined;
}
