import type { RetentionKind, RetentionPolicy } from "@/bindings/app";

/** What retention tells apart, in the order of the form. */
export const RETENTION_KINDS = ["status", "message", "template", "other"] as const satisfies readonly RetentionKind[];

/** Days by kind; absent kinds are kept without limit. */
export type Days = Partial<Record<RetentionKind, number | undefined>>;

export function daysOf({ rules }: RetentionPolicy): Days {
  return Object.fromEntries(rules.map(({ kind, days }) => [kind, days]));
}

/** The policy of the form, in one order, so that equal forms make equal policies. */
export function policyOf(days: Days): RetentionPolicy {
  return {
    rules: RETENTION_KINDS.flatMap((kind) => {
      const value = days[kind];
      return value === undefined ? [] : [{ kind, days: value }];
    }),
  };
}

export function isSamePolicy(left: RetentionPolicy, right: RetentionPolicy): boolean {
  return JSON.stringify(policyOf(daysOf(left))) === JSON.stringify(policyOf(daysOf(right)));
}
