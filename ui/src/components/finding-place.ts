// Where a finding is: its part of the template, for grouping and as a name.

import { useTranslation } from "react-i18next";
import type { Finding, Template } from "@/bindings/model";
import { parsePath, useFieldText, useOwnerText } from "./template-path";

const UNIT = /^\/components\/\d+(?:\/cards\/\d+(?:\/components\/\d+(?:\/buttons\/\d+)?)?|\/buttons\/\d+)?/;

/** The pointer of the component, card or button, or of the field outside of the components, that a finding is about. */
export function placeOf({ path }: Finding): string {
  return UNIT.exec(path)?.[0] ?? /^\/[^/]*/.exec(path)?.[0] ?? "";
}

/** Findings of one place one after the other; places and findings in the order in which they first come. */
export function byPlace(findings: readonly Finding[]): Finding[] {
  const places = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = placeOf(finding);
    const here = places.get(place);
    if (here) here.push(finding);
    else places.set(place, [finding]);
  }
  return [...places.values()].flat();
}

/** The name of a place, such as "Body" or "Card 2 · Button 1: Visit the shop". */
export function usePlaceText(): (place: string, template: Template) => string {
  const { t } = useTranslation("templates");
  const owner = useOwnerText();
  const field = useFieldText();
  return (place, template) => {
    if (place === "" || place === "/components") return t("place.template");
    const path = parsePath(place, template);
    // "Card 2 · Button 1" says that they are in a carousel and among its buttons.
    const steps = path.steps.filter(({ kind }, index) => {
      const next = path.steps[index + 1]?.kind;
      return kind !== "component" || (next !== "card" && next !== "button");
    });
    if (steps.length === 0) return field(path);
    const name = owner({ steps, field: [] });
    const label = steps.at(-1)?.kind === "button" ? labelAt(template, place) : "";
    return label === "" ? name : `${name}: ${label}`;
  };
}

/** The text of the button at `place`. */
function labelAt(template: Template, place: string): string {
  let value: unknown = template;
  for (const step of place.split("/").slice(1)) value = (value as Record<string, unknown> | undefined)?.[step];
  const label = (value as { text?: unknown } | undefined)?.text;
  return typeof label === "string" ? label.trim() : "";
}
