// All findings in the order of their numbers, which the names of their buttons have.

import type { Finding } from "@/bindings/model";
import { heaviestFirst } from "@/components/findings";
import { withoutExplainedVerdicts } from "@/components/verdicts";
import type { ComposerState } from "./store";

export interface Found {
  list: readonly Finding[];
  /** Number of a finding, from 1. */
  numbers: ReadonlyMap<Finding, number>;
}

const NONE: readonly Finding[] = [];
const known = new WeakMap<
  readonly Finding[],
  { refusals: readonly Finding[]; names: readonly Finding[]; found: Found }
>();

/** Rejections and findings, most severe first; the same object while nothing changes. */
export function foundIn({
  refusals,
  inspection,
  nameFindings: names,
}: Pick<ComposerState, "refusals" | "inspection" | "nameFindings">): Found {
  const findings = inspection?.findings ?? NONE;
  const before = known.get(findings);
  if (before?.refusals === refusals && before.names === names) return before.found;
  const same = (a: Finding, b: Finding) => a.code === b.code && a.path === b.path && a.message === b.message;
  // What to fix repeats what the rules say about the place it is for.
  const others = findings.filter((finding) => !refusals.some((refusal) => same(refusal, finding)));
  // A fault that the review found is counted once: the rule about the same value says more.
  const errors = findings.filter(({ severity }) => severity === "error");
  const said = withoutExplainedVerdicts(refusals, errors);
  const list = heaviestFirst([...said, ...names, ...others]);
  const found = { list, numbers: new Map(list.map((finding, index) => [finding, index + 1])) };
  known.set(findings, { refusals, names, found });
  return found;
}
