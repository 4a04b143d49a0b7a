import { useNavigate } from "@tanstack/react-router";
import type { Batch } from "@/bindings/app";
import type { Engagement } from "@/bindings/model";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";
import { beginTo } from "./draft";
import { useAskReplace } from "./use-ask-replace";

/** Begins a batch to those people of an earlier one who did something with its message. Who they are is decided now. */
export function useBeginTo(batch: Batch, engagement: Engagement, onRefused: () => void) {
  const retarget = useCommand("retarget_batch");
  const navigate = useNavigate();
  const askReplace = useAskReplace();
  const begin = () =>
    retarget.mutate(
      { batch: batch.id, engagement },
      {
        onSuccess: (people) => {
          beginTo(batch, engagement, people);
          void navigate({ to: "/sends/batches/new", search: {} });
        },
        onError: (failure) => {
          showFailure(failure);
          onRefused();
        },
      },
    );
  return { isPending: retarget.isPending, begin: () => askReplace(batch.workspace, begin) };
}
