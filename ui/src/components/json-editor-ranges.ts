// Where in a text of JSON a JSON pointer points, found in the syntax tree: the text may be unfinished, and a parsed
// value would not know its place.

import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

type Node = ReturnType<typeof syntaxTree>["topNode"];

export interface TextRange {
  from: number;
  to: number;
}

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
/** Milliseconds for reading what is not read yet. */
const PATIENCE = 100;

/**
 * The characters to mark for `pointer` (RFC 6901): a text or number itself, of an object or a list its name, else its
 * opening bracket. What does not exist is marked at the nearest place around it that does; `undefined` where the text
 * holds no value at all.
 */
export function pointerRange(state: EditorState, pointer: string): TextRange | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, PATIENCE) ?? syntaxTree(state);
  let value = valueIn(tree.topNode);
  if (!value) return undefined;
  for (const step of pointer.split("/").slice(1)) {
    const found = member(state, value, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (!found) break;
    value = found;
  }
  return marked(value);
}

/** The character at a line and column, both from 1; beyond the end of a line its last one, beyond the text its end. */
export function positionRange(state: EditorState, line: number, column: number): TextRange {
  const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const at = Math.min(from + Math.max(1, column) - 1, to);
  return at < to ? { from: at, to: at + 1 } : { from: Math.max(from, at - 1), to: at };
}

function marked(value: Node): TextRange {
  if (value.name !== "Object" && value.name !== "Array") return { from: value.from, to: value.to };
  const name = value.parent?.name === "Property" ? value.parent.getChild("PropertyName") : null;
  return name ? { from: name.from, to: name.to } : { from: value.from, to: value.from + 1 };
}

function member(state: EditorState, value: Node, step: string): Node | undefined {
  if (value.name === "Array") {
    return /^(?:0|[1-9]\d*)$/.test(step) ? valuesIn(value)[Number(step)] : undefined;
  }
  if (value.name !== "Object") return undefined;
  // Of repeated keys the last one counts, as for every reader of JSON.
  const property = value.getChildren("Property").findLast((entry) => nameOf(state, entry) === step);
  return property && (valueIn(property) ?? undefined);
}

function nameOf(state: EditorState, property: Node): string | undefined {
  const name = property.getChild("PropertyName");
  if (!name) return undefined;
  const written = state.sliceDoc(name.from, name.to);
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}

function valueIn(node: Node): Node | undefined {
  return valuesIn(node)[0];
}

function valuesIn(node: Node): Node[] {
  const values: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (VALUES.has(child.name)) values.push(child);
  }
  return values;
}
