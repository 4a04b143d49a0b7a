import type { DeskError, SubmissionReport } from "@/bindings/app";
import type { Finding } from "@/bindings/model";

/** Everything the provider refused, at the fields it is about. */
export function refusalsOf(report: SubmissionReport): Finding[] {
  return report.steps.flatMap(({ outcome }) => (outcome.state === "refused" ? outcome.findings : []));
}

/** WABAs that were created with an earlier text of the draft. */
export function earlierOf(report: SubmissionReport): string[] {
  return report.steps.flatMap(({ outcome, wabaIds }) =>
    outcome.state === "accepted" && outcome.changes.length > 0 ? wabaIds : [],
  );
}

/** A value that was refused before anything left, as a finding at its field. */
export function refusalOf(error: DeskError): Finding | undefined {
  if (error.code !== "invalidInput") return undefined;
  const path = error.field.startsWith("/") || error.field === "" ? error.field : `/${error.field}`;
  return { code: "provider", severity: "error", path, message: error.message, values: {}, source: "", fixable: false };
}
