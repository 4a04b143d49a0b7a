// Which findings of a review or a rejection still apply: a finding applies until the value at its path changes.

import { replaceEqualDeep } from "@tanstack/react-query";
import type { Draft, EditContext } from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";
import { isVerdict } from "@/components/verdicts";
import { valueAt } from "./json-pointer";

/** A text of the JSON view, and what was read from it. */
export interface JsonRead {
  text: string;
  template: Template;
  wabaIds: string[];
}

/** The value at a JSON pointer into the creation. */
const draftValueAt = ({ template, wabaIds }: Draft, path: string) => valueAt({ ...template, waba_ids: wabaIds }, path);

/** Whether the value at `path` is equal. A file of a header counts, because it replaces the sample. */
function isEqualAt(path: string, before: Draft, after: Draft): boolean {
  if (before === after) return true;
  const [one, other] =
    path === "" ? [before.template, after.template] : [draftValueAt(before, path), draftValueAt(after, path)];
  // `replaceEqualDeep` returns its first argument if both are equal.
  if (one !== other && replaceEqualDeep(one, other) !== one) return false;
  return fileAt(path, before) === fileAt(path, after);
}

function fileAt(path: string, draft: Draft): string | undefined {
  const card = /^\/components\/\d+\/cards\/(\d+)/.exec(path)?.[1];
  if (card !== undefined) return draft.cardFiles[Number(card)]?.path;
  const component = /^\/components\/(\d+)/.exec(path)?.[1];
  const isHeader = component !== undefined && draft.template.components[Number(component)]?.type === "HEADER";
  return isHeader ? draft.headerFile?.path : undefined;
}

/** The findings whose values did not change; the same list if none did. */
export function unaffectedFindings(findings: Finding[], before: Draft, after: Draft): Finding[] {
  const left = findings.filter(({ path }) => isEqualAt(path, before, after));
  return left.length === findings.length ? findings : left;
}

/** Whether the value at `path` is the one that was reviewed. */
export function isUnchanged(path: string, draft: Draft, { original }: EditContext): boolean {
  return isEqualAt(path, { ...draft, template: original, headerFile: null, cardFiles: [] }, draft);
}

/** The guidance of the review that still applies, followed by `refusals`. */
export function withGuidance(
  refusals: Finding[],
  { draft, context }: { draft: Draft; context?: EditContext | undefined },
): Finding[] {
  const others = refusals.filter((finding) => !isVerdict(finding));
  if (!context) return others;
  const said = context.guidance.filter((finding) => isVerdict(finding) && isUnchanged(finding.path, draft, context));
  return [...said, ...others];
}
