// The variables of all texts of a template, as one table shows and changes them.

import type { Template, VariableUse } from "@/bindings/model";
import { valueAt, withValueAt } from "./json-pointer";
import { variablesOf } from "./parts";

export type Where =
  | { kind: "header" | "body" | "other"; card: number | undefined }
  | { kind: "button"; button: number; card: number | undefined };

/** Position of a text, counted from 1. */
export function whereIs(template: Template, path: string): Where {
  const card = /^\/components\/\d+\/cards\/(\d+)\//.exec(path)?.[1];
  const cardNumber = card === undefined ? undefined : Number(card) + 1;
  const button = /\/buttons\/(\d+)\/[^/]+$/.exec(path)?.[1];
  if (button !== undefined) return { kind: "button", button: Number(button) + 1, card: cardNumber };
  const type = valueAt(template, path.replace(/\/[^/]+$/, "/type"));
  return { kind: type === "HEADER" ? "header" : type === "BODY" ? "body" : "other", card: cardNumber };
}

/** The sample of a variable in the draft; the inspection may be one key behind. */
export function sampleAt(template: Template, { samplePath }: VariableUse): string {
  const value = valueAt(template, samplePath);
  return typeof value === "string" ? value : "";
}

export function withSampleAt(template: Template, { samplePath, name }: VariableUse, sample: string): Template {
  const entry = /^(.*_named_params\/\d+)\/example$/.exec(samplePath)?.[1];
  const named =
    entry !== undefined && valueAt(template, `${entry}/param_name`) === undefined
      ? withValueAt(template, entry, { param_name: name })
      : template;
  return withValueAt(named, samplePath, sample);
}

/** The texts whose variable numbers are not 1, 2, 3 …, in any order. */
export function textsWithGaps(variables: readonly VariableUse[], template: Template): string[] {
  return [...new Set(variables.map(({ path }) => path))].filter((path) => {
    const text = valueAt(template, path);
    const numbers = typeof text === "string" ? variablesOf(text).filter((name) => /^\d+$/.test(name)) : [];
    return numbers.some((_, index) => !numbers.includes(String(index + 1)));
  });
}

/** How variables are written: as the template says, else as its texts do. */
export function formatOf(template: Template, variables: readonly VariableUse[]): "POSITIONAL" | "NAMED" {
  const said = template.parameter_format?.toUpperCase();
  if (said === "NAMED" || said === "POSITIONAL") return said;
  return variables.some(({ name }) => !/^\d+$/.test(name)) ? "NAMED" : "POSITIONAL";
}
