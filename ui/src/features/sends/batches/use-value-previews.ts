import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { BatchPlanRequest, ValuePreview } from "@/bindings/app";
import { sendsQueries } from "../queries";

/** What the columns with a format become, by part. */
export function useValuePreviews(request: BatchPlanRequest | undefined): ReadonlyMap<string, ValuePreview> {
  const formatted = Object.values(request?.source.values ?? {}).some(
    (from) => from?.kind === "column" && from.transform,
  );
  const isComplete = request?.source.kind === "csv" ? request.source.to !== "" : (request?.source.ids.length ?? 0) > 0;
  const asked = request && formatted && isComplete ? request : undefined;
  const { data } = useQuery({
    ...sendsQueries.valuePreviews(
      asked && { workspace: asked.workspace, reference: asked.reference, source: asked.source },
    ),
    enabled: asked !== undefined,
  });
  return useMemo(() => new Map((asked ? data : undefined)?.map((one) => [one.part, one])), [asked, data]);
}
