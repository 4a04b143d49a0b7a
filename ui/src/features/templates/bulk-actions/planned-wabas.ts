import { queryOptions } from "@tanstack/react-query";
import { hasSeveralAccounts } from "@/components/template-filters/template-filters";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { MAX_ROWS } from "@/lib/ipc/lists";
import { templateQuery } from "@/lib/template-filter";

/** The WABAs of each template that a bulk action would change; none where all templates are in one WABA. */
export const plannedWabas = (workspace: string, id: string) =>
  queryOptions({
    queryKey: [...keys.bulkAction(workspace, id), "wabas"] as const,
    queryFn: async (): Promise<string[][]> => {
      const query = templateQuery(workspace, { archived: "all" });
      let page = await call("list_templates", { ...query, offset: 0, limit: MAX_ROWS });
      if (!hasSeveralAccounts(page.facets)) return [];
      const planned = await plannedReferences(workspace, id);
      const found: string[][] = [];
      for (let offset = MAX_ROWS; ; offset += MAX_ROWS) {
        for (const { reference, wabas } of page.rows) if (planned.delete(reference)) found.push(wabas);
        if (planned.size === 0 || offset >= page.total) return found;
        page = await call("list_templates", { ...query, offset, limit: MAX_ROWS });
      }
    },
  });

async function plannedReferences(workspace: string, id: string): Promise<Set<string>> {
  const references = new Set<string>();
  let after: number | null = null;
  do {
    const { items, next }: Awaited<ReturnType<typeof plannedItems>> = await plannedItems(workspace, id, after);
    for (const { reference } of items) references.add(reference);
    after = next ?? null;
  } while (after !== null);
  return references;
}

const plannedItems = (workspace: string, id: string, after: number | null) =>
  call("get_bulk_action", { workspace, id, state: "planned", after, limit: MAX_ROWS });
