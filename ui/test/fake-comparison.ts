// The fake host's comparisons of two batches.

import type { Batch, BatchComparison, ComparedRate, ComparisonPair } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";

/** Read is higher in the first; of replies there are too few to tell, and of clicks nothing is known. */
function compared(first: Batch, second: Batch): BatchComparison {
  const rate = (count: number, low: number, high: number) => ({ count, share: { value: count / 500, low, high } });
  const rates: ComparedRate[] = [
    {
      outcome: "delivered",
      first: rate(480, 0.939, 0.974),
      second: rate(480, 0.939, 0.974),
      difference: { value: 0, low: -0.025, high: 0.025 },
      verdict: "same",
    },
    {
      outcome: "read",
      first: rate(300, 0.556, 0.642),
      second: rate(250, 0.456, 0.544),
      difference: { value: 0.1, low: 0.038, high: 0.16 },
      verdict: "first",
      needed: 388,
    },
    {
      outcome: "replied",
      first: rate(40, 0.059, 0.107),
      second: rate(30, 0.042, 0.084),
      difference: { value: 0.02, low: -0.012, high: 0.052 },
      verdict: "tooFew",
      needed: 2_555,
      more: 2_055,
    },
    { outcome: "clicked", verdict: "unknown" },
  ];
  return {
    first: { batch: first, sent: 500, waiting: 0, unknown: 0 },
    second: { batch: second, sent: 500, waiting: 3, unknown: 0 },
    rates,
    limits: ["notDivided", "samePeople", "otherTime"],
    sharedPeople: 12,
    minMessages: 50,
  };
}

/** Comparisons of the fake host's batches. */
export function comparisonHandlers({
  plan_batch,
  get_batch,
}: Pick<Handlers, "plan_batch" | "get_batch">): Pick<
  Handlers,
  "compare_batches" | "get_comparison_pair" | "plan_batch_side"
> {
  /** The halves of divided lists, by comparison. */
  const pairs = new Map<string, ComparisonPair & { share: number }>();
  const pairOf = (batch: string) =>
    [...pairs.values()].find(({ first, second }) => first === batch || second === batch);
  return {
    compare_batches: async ({ first, second }) => {
      const [one, other] = await Promise.all([first, second].map((batch) => get_batch({ batch, limit: 0 })));
      if (!one || !other) return refusal({ code: "notFound", what: "Batch" });
      const found = compared(one.batch, other.batch);
      const pair = pairOf(first);
      return pair && pair === pairOf(second) ? { ...found, limits: [], share: pair.share } : found;
    },
    get_comparison_pair: ({ batch }) => {
      const { first, second } = pairOf(batch) ?? {};
      return { first: first ?? null, second: second ?? null };
    },
    plan_batch_side: async ({ plan, comparison, isFirst, share }) => {
      const planned = await plan_batch(plan);
      pairs.set(comparison, { ...pairs.get(comparison), share, [isFirst ? "first" : "second"]: planned.id });
      return planned;
    },
  };
}
