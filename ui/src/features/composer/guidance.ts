// Which findings of a review or a rejection still apply: one of a submission until the value at its path changes, the
// verdict of a review until something changes that answers it.

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
  if (path === "" || path === "/components") return filesOfMessage(draft);
  const card = /^\/components\/\d+\/cards\/(\d+)/.exec(path)?.[1];
  if (card !== undefined) return draft.cardFiles[Number(card)]?.path;
  const component = /^\/components\/(\d+)/.exec(path)?.[1];
  const isHeader = component !== undefined && draft.template.components[Number(component)]?.type === "HEADER";
  return isHeader ? draft.headerFile?.path : undefined;
}

function filesOfMessage({ headerFile, cardFiles }: Draft): string {
  return [headerFile, ...cardFiles].flatMap((file) => (file ? [file.path] : [])).join("\n");
}

/** The findings that still apply after a change; the same list if all do. */
export function unaffectedFindings(
  findings: Finding[],
  before: Draft,
  after: Draft,
  context: EditContext | undefined,
): Finding[] {
  const left = findings.filter((finding) =>
    isVerdict(finding) && context ? !isAnswered(after, context) : isEqualAt(finding.path, before, after),
  );
  return left.length === findings.length ? findings : left;
}

/** Whether the value at `path` is the one that was reviewed. */
export function isUnchanged(path: string, draft: Draft, { original }: EditContext): boolean {
  return isEqualAt(path, { ...draft, template: original, headerFile: null, cardFiles: [] }, draft);
}

/** Whether the draft changes something that answers the verdict of the review. */
export function isAnswered(draft: Draft, context: EditContext): boolean {
  return context.answerPaths.some((path) => !isUnchanged(path, draft, context));
}

/** The guidance of the review that still applies, followed by `refusals`. */
export function withGuidance(
  refusals: Finding[],
  { draft, context }: { draft: Draft; context?: EditContext | undefined },
): Finding[] {
  const others = refusals.filter((finding) => !isVerdict(finding));
  if (!context) return others;
  const said = isAnswered(draft, context) ? [] : context.guidance.filter(isVerdict);
  return [...said, ...others];
}
