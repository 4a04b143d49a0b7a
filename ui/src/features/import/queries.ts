import { queryOptions } from "@tanstack/react-query";
import type { PlanCopy, PlanImport } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";

/** Templates to import: those of a folder, or of another workspace. */
export type ImportSource = { kind: "folder"; request: PlanImport } | { kind: "copy"; request: PlanCopy };

export const importQueries = {
  /** The plan of an import. Never refetched automatically. */
  importPlan: (source: ImportSource) =>
    queryOptions({
      queryKey: ["importPlan", source],
      queryFn: () =>
        source.kind === "folder" ? call("plan_import", source.request) : call("plan_copy", source.request),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  lastImport: (workspace: string) =>
    queryOptions({
      queryKey: keys.lastImport(workspace),
      queryFn: () => call("last_import", { workspace }),
    }),
};
