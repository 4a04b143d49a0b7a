import type { BatchPlan, BatchPlanRequest, CsvFile } from "@/bindings/app";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { type BatchDraft, firstFilling, keepFirstCheck, listKey, sideOf } from "./draft";

interface Outcome {
  onSuccess: (plan: BatchPlan) => void;
  onError: (failure: DeskFailure) => void;
  /** The file was saved since it was read, and is read again; nothing is checked yet. */
  onReread: (file: CsvFile) => void;
}

/** The check of a batch: of the whole list or, in a comparison, of the side that the template gets. */
export function useCheckBatch(draft: BatchDraft, reference: string) {
  const whole = useCommand("plan_batch");
  const half = useCommand("plan_batch_side");
  const reread = useCommand("reread_csv");
  const side = sideOf(draft, reference);
  const { isPending, error } = side ? half : whole;
  const begin = (plan: BatchPlanRequest, next: BatchDraft, { onSuccess, onError }: Outcome) => {
    if (!side) return whole.mutate(plan, { onSuccess, onError });
    half.mutate(
      { plan, ...side },
      {
        onError,
        onSuccess: (found) => {
          const checked = { plan: found.id, list: listKey(plan), filling: firstFilling(next) };
          if (side.isFirst) keepFirstCheck(plan.workspace, side, checked);
          onSuccess(found);
        },
      },
    );
  };
  return {
    side,
    isPending: isPending || reread.isPending,
    error: error ?? reread.error,
    reset: () => {
      whole.reset();
      half.reset();
      reread.reset();
    },
    check: (plan: BatchPlanRequest, next: BatchDraft, outcome: Outcome) => {
      if (plan.source.kind !== "csv") return begin(plan, next, outcome);
      // What an earlier check said would stand before what is said of the file now.
      whole.reset();
      half.reset();
      reread.mutate(
        { file: plan.source.file },
        {
          onError: outcome.onError,
          onSuccess: (saved) => (saved ? outcome.onReread(saved) : begin(plan, next, outcome)),
        },
      );
    },
    /** What a check is about: with another proportion it is another one. */
    keyOf: (plan: BatchPlanRequest | undefined) => JSON.stringify([plan, side]),
  };
}
