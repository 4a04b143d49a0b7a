// The verdict of the review is a finding like those of the rules; where a rule explains it, it is shown once.

import type { Finding } from "@/bindings/model";

/** Whether a finding is the verdict of the review, not that of a rule. */
export function isVerdict({ code }: Finding): boolean {
  return code.startsWith("rejected.");
}

/** `findings` without the verdicts that one of `rules` explains at the same value. */
export function withoutExplainedVerdicts(
  findings: readonly Finding[],
  rules: readonly Finding[] = findings,
): Finding[] {
  const explained = new Set(rules.filter((finding) => !isVerdict(finding)).map(({ path }) => path));
  return findings.filter((finding) => !isVerdict(finding) || !explained.has(finding.path));
}
