import { useQuery } from "@tanstack/react-query";
import { queries } from "@/lib/ipc/queries";

/** Words for the WABAs of a workspace: the name where one was given, with the number. */
export function useWabaText(workspace: string): (waba: string) => string {
  const names = useQuery(queries.workspace(workspace)).data?.settings.wabaNames;
  return (waba) => (names?.[waba] ? `${names[waba]} (${waba})` : waba);
}
