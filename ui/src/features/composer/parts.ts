// Changes to the components of a message or of a card, as plain functions. They are the contract's own JSON: what is not
// touched here, known or not, stays exactly as it came.

import type { Component } from "@/bindings/model";

export type Json = Record<string, unknown>;
export type Kind = "HEADER" | "LIMITED_TIME_OFFER" | "BODY" | "FOOTER" | "BUTTONS" | "CAROUSEL";
export type Parts = Component[];
/** Samples of variables that were taken out of a text; they return with their variable. By kind and name. */
export type Spare = Map<string, string>;

/** Header formats that show a file. */
export const MEDIA: ReadonlySet<string> = new Set(["IMAGE", "VIDEO", "DOCUMENT", "GIF"]);

/** Components in the order in which a phone shows them. */
const ORDER: Kind[] = ["HEADER", "LIMITED_TIME_OFFER", "BODY", "FOOTER", "BUTTONS", "CAROUSEL"];
/** A typing slip such as `{{99999}}` must not make as many samples. */
const MAX_SAMPLES = 200;

export function indexOfKind(parts: Parts, kind: Kind): number {
  return parts.findIndex((component) => component.type === kind);
}

export function componentOf<K extends Kind>(parts: Parts, kind: K): Extract<Component, { type: K }> | undefined {
  return parts.find((component): component is Extract<Component, { type: K }> => component.type === kind);
}

/** Components that are none of those that have fields. */
export function otherComponents(parts: Parts, fields = ORDER): { position: number; component: Component }[] {
  const shown = new Set(fields.map((kind) => indexOfKind(parts, kind)));
  return parts.map((component, position) => ({ position, component })).filter(({ position }) => !shown.has(position));
}

export function removeComponent(parts: Parts, position: number): Parts {
  return parts.filter((_, index) => index !== position);
}

/** Puts what `change` makes of the component in its place; `undefined` removes it. */
export function put(parts: Parts, kind: Kind, change: (before: Json | undefined) => Json | undefined): Parts {
  const position = indexOfKind(parts, kind);
  const after = change(parts[position] as Json | undefined);
  if (after === undefined) return position < 0 ? parts : removeComponent(parts, position);
  const components = [...parts];
  if (position >= 0) {
    components[position] = after as Component;
  } else {
    const rank = ORDER.indexOf(kind);
    const next = components.findIndex(({ type }) => (ORDER as string[]).indexOf(type) > rank);
    components.splice(next < 0 ? components.length : next, 0, after as Component);
  }
  return components;
}

/** `object` without the keys that are `undefined`, or nothing where no key is left. */
export function compact(object: Json): Json | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function setHeaderFormat(parts: Parts, format: string | null): Parts {
  if (format === null) return put(parts, "HEADER", () => undefined);
  return put(parts, "HEADER", (before) => {
    const example = compact({
      ...(before?.example as Json | undefined),
      // Samples belong to one kind of header.
      ...(format === "TEXT"
        ? { header_handle: undefined }
        : { header_text: undefined, header_text_named_params: undefined, header_handle: undefined }),
    });
    const header: Json = {
      ...before,
      type: "HEADER",
      format,
      text: format === "TEXT" ? (before?.text ?? "") : undefined,
      example,
    };
    return compact(header);
  });
}

/** Distinct names of the variables of a text, in order. */
export function variablesOf(text: string): string[] {
  return [
    ...new Set(
      [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = ""]) => name.trim()).filter((name) => name !== ""),
    ),
  ];
}

/** The variable that "Add variable" writes: the next number, or the next free name where variables have names. */
export function nextVariable(format: string | undefined, text: string): string {
  const names = variablesOf(text);
  const named = format?.toUpperCase() === "NAMED" || (names.length > 0 && !names.some(isNumber));
  if (!named) return `{{${Math.max(0, ...names.filter(isNumber).map(Number)) + 1}}}`;
  let number = names.length + 1;
  while (names.includes(`value_${number}`)) number += 1;
  return `{{value_${number}}}`;
}

const isNumber = (name: string) => /^\d+$/.test(name);

export function setText(parts: Parts, kind: "HEADER" | "BODY", text: string, spare: Spare): Parts {
  return put(parts, kind, (before) => {
    const old = typeof before?.text === "string" ? before.text : "";
    const after: Json = { ...before, type: kind, text };
    if (variablesOf(old).join("\n") !== variablesOf(text).join("\n")) {
      after.example = fitSamples(before?.example as Json | undefined, kind, text, spare);
    }
    return compact(after);
  });
}

/** The samples that `text` needs: those at hand, those put aside before, else empty ones. */
function fitSamples(example: Json | undefined, kind: "HEADER" | "BODY", text: string, spare: Spare): Json | undefined {
  const names = variablesOf(text);
  const numbers = names.filter(isNumber).map(Number);
  const most = Math.min(MAX_SAMPLES, kind === "HEADER" ? Math.min(1, numbers.length) : Math.max(0, ...numbers));
  const positional = positionalSamples(example, kind);
  for (const [index, value] of positional.entries()) if (value !== "") spare.set(`${kind} ${index + 1}`, value);
  const values = Array.from(
    { length: most },
    (_, index) => positional[index] ?? spare.get(`${kind} ${index + 1}`) ?? "",
  );

  const named = namedSamples(example, kind);
  for (const { param_name, example: value } of named) if (value !== "") spare.set(`${kind} ${param_name}`, value);
  const params = names
    .filter((name) => !isNumber(name))
    .map(
      (name) =>
        named.find(({ param_name }) => param_name === name) ?? {
          param_name: name,
          example: spare.get(`${kind} ${name}`) ?? "",
        },
    );
  return withSamples(example, kind, values, params);
}

function withSamples(example: Json | undefined, kind: "HEADER" | "BODY", values: string[], params: NamedSample[]) {
  const rest = kind === "BODY" && Array.isArray(example?.body_text) ? example.body_text.slice(1) : [];
  return compact({
    ...example,
    ...(kind === "BODY"
      ? {
          body_text: values.length > 0 ? [values, ...rest] : undefined,
          body_text_named_params: params.length > 0 ? params : undefined,
        }
      : {
          header_text: values.length > 0 ? values : undefined,
          header_text_named_params: params.length > 0 ? params : undefined,
        }),
  });
}

interface NamedSample {
  param_name: string;
  example: string;
}

function positionalSamples(example: Json | undefined, kind: "HEADER" | "BODY"): string[] {
  const list = kind === "BODY" ? (example?.body_text as unknown[] | undefined)?.[0] : example?.header_text;
  return Array.isArray(list) ? list.map(String) : [];
}

function namedSamples(example: Json | undefined, kind: "HEADER" | "BODY"): NamedSample[] {
  const list = kind === "BODY" ? example?.body_text_named_params : example?.header_text_named_params;
  return Array.isArray(list) ? (list as NamedSample[]) : [];
}

/** The text of a component; empty where there is none. */
export function textOf(parts: Parts, kind: "HEADER" | "BODY"): string {
  return componentOf(parts, kind)?.text ?? "";
}

export function sampleOf(parts: Parts, kind: "HEADER" | "BODY", name: string): string {
  const example = componentOf(parts, kind)?.example as Json | undefined;
  if (!isNumber(name)) return namedSamples(example, kind).find((sample) => sample.param_name === name)?.example ?? "";
  return positionalSamples(example, kind)[kind === "HEADER" ? 0 : Number(name) - 1] ?? "";
}

export function setSample(parts: Parts, kind: "HEADER" | "BODY", name: string, value: string): Parts {
  return put(parts, kind, (before) => {
    if (before === undefined) return undefined;
    const example = before.example as Json | undefined;
    const values = positionalSamples(example, kind);
    const params = [...namedSamples(example, kind)];
    if (isNumber(name)) {
      const position = kind === "HEADER" ? 0 : Math.min(MAX_SAMPLES, Number(name)) - 1;
      while (values.length < position) values.push("");
      values[position] = value;
    } else {
      const position = params.findIndex((sample) => sample.param_name === name);
      if (position < 0) params.push({ param_name: name, example: value });
      else params[position] = { ...(params[position] as NamedSample), example: value };
    }
    return { ...before, example: withSamples(example, kind, values, params) };
  });
}

/** The path of the sample of a variable, as findings name it. */
export function samplePath(parts: Parts, base: string, kind: "HEADER" | "BODY", name: string, order: number): string {
  const example = `${base}/${indexOfKind(parts, kind)}/example`;
  const lower = kind.toLowerCase();
  if (!isNumber(name)) return `${example}/${lower}_text_named_params/${order}/example`;
  return kind === "BODY" ? `${example}/body_text/0/${Number(name) - 1}` : `${example}/header_text/0`;
}

/** An empty footer is none, unless it says something else. */
export function setFooter(parts: Parts, text: string): Parts {
  return put(parts, "FOOTER", (before) => {
    const rest = compact({ ...before, type: undefined, text: undefined });
    if (text === "") return rest && { ...rest, type: "FOOTER" };
    return { ...before, type: "FOOTER", text };
  });
}

/** The header format that shows a file of this type. */
export function formatOfFile(mime: string): "IMAGE" | "VIDEO" | "DOCUMENT" {
  if (mime.startsWith("image/")) return "IMAGE";
  return mime.startsWith("video/") ? "VIDEO" : "DOCUMENT";
}
