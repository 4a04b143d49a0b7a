// What the fake host shows on the phone: enough of the rendering to look at screens, not the product's rules.

import type { Inspection } from "@/bindings/app";
import type {
  Block,
  Bubble,
  BubbleButton,
  Change,
  Component,
  Counter,
  Finding,
  Run,
  Template,
  VariableUse,
} from "@/bindings/model";

const plain = { bold: false, italic: false, strike: false, code: false, variable: false };

function runs(text: string, samples: string[]): Run[] {
  const out: Run[] = [];
  for (const [, bold, italic, strike, code, variable, other] of text.matchAll(
    /\*([^*\n]+)\*|_([^_\n]+)_|~([^~\n]+)~|`([^`\n]+)`|\{\{(\w+)\}\}|([^*_~`{]+|[*_~`{])/g,
  )) {
    const styled = bold ?? italic ?? strike ?? code;
    if (styled !== undefined) {
      for (const run of runs(styled, samples)) {
        out.push({
          ...run,
          bold: run.bold || bold !== undefined,
          italic: run.italic || italic !== undefined,
          strike: run.strike || strike !== undefined,
          code: run.code || code !== undefined,
        });
      }
    } else if (variable !== undefined) {
      out.push({ ...plain, text: samples[Number(variable) - 1] || `{{${variable}}}`, variable: true });
    } else if (other !== undefined) {
      out.push({ ...plain, text: other });
    }
  }
  return out;
}

const blocks = (text: string, samples: string[]): Block[] =>
  text.split("\n").map((line) => {
    if (line.startsWith("- ")) return { kind: "bullet", runs: runs(line.slice(2), samples) };
    if (line.startsWith("> ")) return { kind: "quote", runs: runs(line.slice(2), samples) };
    return { kind: "line", runs: runs(line, samples) };
  });

const isRightToLeft = (text: string) => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

export function bubbleOf(components: Component[]): Bubble {
  const bubble: Bubble = {
    body: [],
    buttons: [],
    visible_buttons: 0,
    cards: [],
    right_to_left: false,
    unknown: [],
  };
  for (const component of components) {
    switch (component.type) {
      case "HEADER":
        bubble.header =
          component.format === "TEXT"
            ? { kind: "text", text: component.text ?? "" }
            : { kind: "media", format: component.format, link: null };
        break;
      case "BODY":
        bubble.body = blocks(component.text ?? "", component.example?.body_text?.[0] ?? []);
        bubble.right_to_left = isRightToLeft(component.text ?? "");
        break;
      case "FOOTER":
        bubble.footer = component.text ?? null;
        break;
      case "LIMITED_TIME_OFFER":
        bubble.offer = component.limited_time_offer.text;
        break;
      case "BUTTONS":
        bubble.buttons = component.buttons.map(
          (button): BubbleButton => ({
            kind: button.type,
            label: "text" in button && button.text ? button.text : button.type === "COPY_CODE" ? "Copy offer code" : "",
            target: button.type === "URL" ? button.url : null,
          }),
        );
        break;
      case "CAROUSEL":
        bubble.cards = component.cards.map((card) => bubbleOf(card.components));
        break;
      default:
        bubble.unknown.push((component as { type?: string }).type ?? "");
    }
  }
  bubble.visible_buttons = bubble.buttons.length > 3 ? 2 : bubble.buttons.length;
  return bubble;
}

export function inspect(template: Template): Inspection {
  const findings: Finding[] = [];
  const counters: Counter[] = [{ path: "/name", used: template.name.length, limit: 512 }];
  const variables: VariableUse[] = [];
  const find = (code: string, severity: Finding["severity"], path: string, message: string) =>
    findings.push({
      code,
      severity,
      path,
      message,
      values: {},
      source: "service-spec §2",
      fixable: Object.hasOwn(FIXES, code),
    });
  if (template.name === "") find("name.missing", "error", "/name", "The template has no name.");
  if (/[^a-z0-9_]/.test(template.name)) {
    find("name.characters", "error", "/name", "A name has lower-case letters, digits and underscores only.");
  }
  if (template.language === "") find("language.missing", "error", "/language", "Choose a language.");
  template.components.forEach((component, place) => {
    const path = `/components/${place}`;
    if (component.type === "BODY") {
      const text = component.text ?? "";
      counters.push({ path: `${path}/text`, used: text.length, limit: 1024 });
      if (text.trim() === "") find("body.empty", "error", `${path}/text`, "The body has no text.");
      for (const [, name = ""] of text.matchAll(/\{\{(\w+)\}\}/g)) {
        const sample = component.example?.body_text?.[0]?.[Number(name) - 1] ?? "";
        const samplePath = `${path}/example/body_text/0/${Number(name) - 1}`;
        variables.push({ path: `${path}/text`, name, sample, samplePath });
        if (sample === "") find("body.sample_missing", "error", `${path}/text`, `Variable {{${name}}} has no sample.`);
      }
      if (text.startsWith("{{")) {
        const message = "The body begins with a variable. Put a word before it.";
        find("variable.at_edge", "error", `${path}/text`, message);
      }
      if (/\}\}\s*$/.test(text)) {
        find(
          "body.variable_at_end",
          "warning",
          `${path}/text`,
          "A body that ends with a variable is usually rejected.",
        );
      }
    }
    if (component.type === "FOOTER") {
      const text = component.text ?? "";
      counters.push({ path: `${path}/text`, used: text.length, limit: 60 });
      if (text.length > 60) find("footer.too_long", "error", `${path}/text`, "A footer has at most 60 characters.");
    }
    if (component.type === "BUTTONS") {
      counters.push({ path: `${path}/buttons`, used: component.buttons.length, limit: 10 });
      component.buttons.forEach((button, index) => {
        if (!("text" in button)) return;
        const at = `${path}/buttons/${index}/text`;
        counters.push({ path: at, used: button.text?.length ?? 0, limit: 25 });
        if (!button.text) find("button.text_missing", "error", at, "The button has no label.");
      });
    }
    if (component.type === "HEADER" && component.format !== "TEXT" && component.format !== "LOCATION") {
      find("header.file_missing", "hint", `${path}/example/header_handle`, "Choose a sample file for the header.");
    }
  });
  return { findings, bubble: bubbleOf(template.components), counters, variables };
}

const bodyText = ({ components }: Template) =>
  components.flatMap((part) => (part.type === "BODY" ? [part.text ?? ""] : []))[0] ?? "";

const FIXES: Record<string, (text: string) => string> = {
  "variable.at_edge": (text) => `Hello ${text}`,
  "body.variable_at_end": (text) => `${text}.`,
};

/** The body with what the rule of `code` suggests; `undefined` where it suggests nothing. */
export function fixBody(template: Template, code: string): Template | undefined {
  const fix = FIXES[code];
  if (!fix) return undefined;
  const components = template.components.map((part) =>
    part.type === "BODY" ? { ...part, text: fix(part.text ?? "") } : part,
  );
  return { ...template, components };
}

export function bodyChanges(original: Template, template: Template): Change[] {
  const [before, after] = [bodyText(original), bodyText(template)];
  if (before === after) return [];
  return [{ path: "/components/BODY/text", before, after, words: [{ kind: "same", text: before }] }];
}
