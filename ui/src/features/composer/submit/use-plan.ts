import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Draft } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import { composerQueries } from "../queries";

interface PlanOptions {
  flush: () => Promise<boolean>;
  /** Whether the plan stays although the draft changes: the draft is being submitted, or was. */
  isFixed: boolean;
}

/** The requests and problems of the draft as it is now. A field may be corrected after the plan is shown. */
export function usePlan(draft: Draft, { flush, isFixed }: PlanOptions) {
  const [planned, setPlanned] = useState({ draft, version: 0 });
  if (planned.draft !== draft && !isFixed) setPlanned({ draft, version: planned.version + 1 });
  return useQuery({
    ...composerQueries.plan(draft.id, planned.version),
    queryFn: async () => {
      // The plan is made from the stored draft.
      await flush();
      return call("plan_submission", { draft: draft.id });
    },
  });
}
