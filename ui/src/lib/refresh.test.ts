import { expect, it } from "vitest";
import { refreshFilter } from "./refresh";

it.each([
  [{}, {}],
  [
    { status: "REJECTED", q: "sale" },
    { status: "REJECTED", search: "sale" },
  ],
  // The provider takes one value: with several, everything that fits is in the wider answer.
  [{ status: "REJECTED,PAUSED", waba: "1" }, { waba: "1" }],
  [{ category: "?", business: "55", language: "de" }, { businessId: "55" }],
])("%j asks the provider by %j", (filter, asked) => expect(refreshFilter(filter)).toEqual(asked));
