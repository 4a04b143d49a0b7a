// What stands at a place of a draft: what was said of a place holds as long as nothing there changes.

import { replaceEqualDeep } from "@tanstack/react-query";
import type { Draft, EditContext } from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";

/** A text of the JSON view, and what was read from it. */
export interface JsonRead {
  text: string;
  template: Template;
  wabaIds: string[];
}

/** What a JSON pointer into the creation points to; `undefined` where there is nothing. */
function valueAt({ template, wabaIds }: Draft, path: string): unknown {
  let value: unknown = { ...template, waba_ids: wabaIds };
  for (const escaped of path.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Whether nothing differs at `path`, the file of a header included: it takes the place of the sample there. */
function reads(path: string, before: Draft, after: Draft): boolean {
  if (before === after) return true;
  const [one, other] = path === "" ? [before.template, after.template] : [valueAt(before, path), valueAt(after, path)];
  // Gives back what it was given first where both are alike.
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

/** Those of `findings` whose place still reads as it did; the same list if all do. */
export function standing(findings: Finding[], before: Draft, after: Draft): Finding[] {
  const left = findings.filter(({ path }) => reads(path, before, after));
  return left.length === findings.length ? findings : left;
}

/** Whether a finding is what the review said, not what a rule finds. */
export function isOfReview({ code }: Finding): boolean {
  return code.startsWith("rejected.");
}

/** Whether `path` still reads as it did when the review judged it. */
export function isUnchanged(path: string, draft: Draft, { original }: EditContext): boolean {
  return reads(path, { ...draft, template: original, headerFile: null, cardFiles: [] }, draft);
}

/** `refusals` after what the review said of those places that still read as they did then. */
export function withGuidance(
  refusals: Finding[],
  { draft, context }: { draft: Draft; context?: EditContext | undefined },
): Finding[] {
  const others = refusals.filter((finding) => !isOfReview(finding));
  if (!context) return others;
  const said = context.guidance.filter((finding) => isOfReview(finding) && isUnchanged(finding.path, draft, context));
  return [...said, ...others];
}
