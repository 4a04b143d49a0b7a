// The fake host's comparisons of two batches.

import type { Batch, BatchComparison, ComparedRate, ComparisonPair } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";

/** Read is higher in the first; of replies there are too few to tell, and of clicks nothing is known. */
function compared(first: Batch, second: Batch): BatchComparison {
  const rate = (count: number, low: number, high: number) => ({ count, share: { value: 20 * count, low, high } });
  const rates: ComparedRate[] = [
    {
      outcome: "delivered",
      first: rate(480, 9390, 9740),
      second: rate(480, 9390, 9740),
      difference: { value: 0, low: -250, high: 250 },
      verdict: "same",
    },
    {
      outcome: "read",
      first: rate(300, 5560, 6420),
      second: rate(250, 4560, 5440),
      difference: { value: 1000, low: 380, high: 1600 },
      verdict: "first",
      needed: 388,
    },
    {
      outcome: "replied",
      first: rate(40, 590, 1070),
      second: rate(30, 420, 840),
      difference: { value: 200, low: -120, high: 520 },
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
