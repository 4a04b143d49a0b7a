import type { SendPart } from "@/bindings/model";

/** Parts that stand together in the form: those of one section, apart for each card. */
export interface PartGroup {
  key: string;
  section: string;
  /** Card it belongs to, from 0. */
  card: number | undefined;
  parts: SendPart[];
}

/** Groups in the order in which their first part comes. */
export function groupParts(parts: readonly SendPart[]): PartGroup[] {
  const groups = new Map<string, PartGroup>();
  for (const part of parts) {
    const card = part.card ?? undefined;
    const key = `${card ?? ""}/${part.section}`;
    const group = groups.get(key);
    if (group) group.parts.push(part);
    else groups.set(key, { key, section: part.section, card, parts: [part] });
  }
  return [...groups.values()];
}

/** What is typed, with the sample in every place that is still empty. */
export function withSamples(
  parts: readonly SendPart[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = { ...values };
  for (const { id, sample } of parts) {
    if (!filled[id] && sample !== "") filled[id] = sample;
  }
  return filled;
}

/** The field of the form that is asked for, by its name: the first of `fields` that stands in the form. */
export function firstAsked(fields: readonly string[], parts: readonly SendPart[]): string | undefined {
  const order = ["number", "to", ...parts.map(({ id }) => id), "callbackData"];
  return order.find((field) => fields.includes(field)) ?? fields[0];
}
