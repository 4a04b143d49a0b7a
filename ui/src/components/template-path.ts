import { useTranslation } from "react-i18next";
import type { Component, Template } from "@/bindings/model";

type Step =
  | { kind: "component"; type: string; nth: number }
  | { kind: "card"; index: number }
  | { kind: "button"; index: number };

/** A path in a template, split into the component and the field. */
export interface TemplatePath {
  /** From the outside in; empty for fields outside of the components. */
  steps: Step[];
  /** The rest of the pointer: the field inside the component. */
  field: string[];
}

/**
 * Reads a JSON pointer. It names a component by its index, whose type `template` gives, or by its
 * type as in `Change.path`.
 */
export function parsePath(path: string, template?: Template): TemplatePath {
  const rest = path.split("/").slice(1).map(unescaped);
  const steps: Step[] = [];
  let components: Component[] | undefined = template?.components;
  if (rest[0] !== "components") return { steps, field: rest };
  rest.shift();
  while (rest.length > 0) {
    const segment = rest.shift() ?? "";
    const found = indexOf(segment);
    const component = found === undefined ? undefined : components?.[found];
    const type = component?.type ?? segment;
    // Further components of a type are numbered; buttons have their number in the same segment.
    const nth = type === "BUTTONS" || component ? undefined : indexOf(rest[0]);
    if (nth !== undefined) rest.shift();
    steps.push({ kind: "component", type, nth: nth ?? 0 });
    if (rest.at(0) === "buttons" && indexOf(rest[1]) !== undefined) rest.shift();
    const button = type === "BUTTONS" ? indexOf(rest[0]) : undefined;
    if (button !== undefined) {
      rest.shift();
      steps.push({ kind: "button", index: button });
    }
    const card = rest.at(0) === "cards" ? indexOf(rest[1]) : undefined;
    if (card === undefined) break;
    rest.splice(0, 2);
    steps.push({ kind: "card", index: card });
    components = component && "cards" in component ? component.cards[card]?.components : undefined;
    if (rest.at(0) === "components") rest.shift();
  }
  return { steps, field: rest };
}

/** The pointer of the component, or of the field outside of the components, that `path` is in. */
export function componentPath(path: string): string {
  return /^\/components\/\d+(?:\/cards\/\d+\/components\/\d+)?/.exec(path)?.[0] ?? path;
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function indexOf(step: string | undefined): number | undefined {
  return step !== undefined && /^\d{1,9}$/.test(step) ? Number(step) : undefined;
}

/** The name of the component or card, such as "Carousel · Card 2 · Body"; empty for fields outside of the components. */
export function useOwnerText(): (path: TemplatePath) => string {
  const { t, i18n } = useTranslation("templates");
  const typeText = (type: string) =>
    i18n.exists(`place.${type}`, { ns: "templates" }) ? t(`place.${type}` as "place.BODY") : type;
  return ({ steps }) =>
    steps
      .map((step) => {
        if (step.kind === "card") return t("place.card", { place: step.index + 1 });
        if (step.kind === "button") return t("place.button", { place: step.index + 1 });
        return step.nth > 0 ? `${typeText(step.type)} ${step.nth + 1}` : typeText(step.type);
      })
      .join(" · ");
}

/** The name of the field; the segments of its pointer for an unknown one. */
export function useFieldText(): (path: TemplatePath) => string {
  const { t, i18n } = useTranslation("templates");
  return ({ field }) => {
    // Samples and files are recognized by their parent, at any depth.
    const segment = field.includes("header_handle") ? "file" : field[0] === "example" ? "example" : field.join(".");
    const key = `place.field.${segment}`;
    return i18n.exists(key, { ns: "templates" }) ? t(key as "place.field.text") : field.join(" · ");
  };
}

/** The names of component and field. */
export function usePathText(): (path: TemplatePath) => string {
  const owner = useOwnerText();
  const field = useFieldText();
  return (path) => [owner(path), field(path)].filter((text) => text !== "").join(" · ");
}
