import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Batch } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { sendsQueries } from "../queries";
import { beginLike } from "./draft";
import { useAskReplace } from "./use-ask-replace";

/** Begins a batch that is filled like an earlier one. */
export function useBeginLike(): (batch: Batch) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const askReplace = useAskReplace();
  return async (batch) => {
    const { workspace, reference } = batch;
    const mapping = await client.fetchQuery(sendsQueries.batchMapping(batch.id)).catch((error) => {
      showFailure(error);
      return undefined;
    });
    if (mapping === undefined) return;
    const open = () => void navigate({ to: "/sends/batches/new", search: { reference } });
    if (!mapping) return open();
    askReplace(workspace, () => {
      beginLike(batch, mapping);
      open();
    });
  };
}
