import { useQuery } from "@tanstack/react-query";
import { queries } from "./ipc/queries";
import { readFilter, valuesOf } from "./template-filter";

/** As part of a request: the one account to which the list of templates is narrowed, for what is begun from there. */
export function useFilteredWabas(workspace: string): { wabaIds?: string[] } {
  const last = useQuery(queries.listViews(workspace)).data?.last.templates;
  const wabas = valuesOf(readFilter(last ?? "").waba);
  return wabas.length === 1 ? { wabaIds: wabas } : {};
}
