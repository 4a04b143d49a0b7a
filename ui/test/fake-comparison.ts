// The fake host's comparison of two batches.

import type { Batch, BatchComparison, ComparedRate } from "@/bindings/app";

/** Read is higher in the first; of replies there are too few to tell, and of clicks nothing is known. */
export function fakeComparison(first: Batch, second: Batch): BatchComparison {
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
