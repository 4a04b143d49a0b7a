import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, syntaxTree } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension, type Range } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { useMantineStyleNonce } from "@mantine/core";
import { type CSSProperties, useEffect, useEffectEvent, useRef } from "react";
import classes from "./json-editor.module.css";
import { pointerRange, positionRange, type TextRange } from "./json-editor-ranges";
import tokens from "./json-view.module.css";

/** A message at a position of the text: a JSON pointer, or a line and column, both from 1. */
export interface JsonMarker {
  path?: string;
  line?: number;
  column?: number;
  severity: "error" | "warning" | "hint";
  message: string;
}

interface JsonEditorProps {
  value: string;
  /** Hears what the person changed, never what `value` changed. */
  onChange: (text: string) => void;
  /** Accessible name. */
  label: string;
  markers: readonly JsonMarker[];
  readOnly?: boolean;
  minHeight?: string;
  /** Beyond it the text scrolls inside the field; without it the field grows. */
  maxHeight?: string;
  /** Whenever it changes, the caret goes to what it points to. */
  focusPath?: string | undefined;
  /** Takes the focus when it appears. */
  autoFocus?: boolean;
}

/** JSON to be written. Tab leaves the field, F8 goes to the next marker. */
export default function JsonEditor({
  value,
  onChange,
  label,
  markers,
  readOnly = false,
  minHeight = "12rem",
  maxHeight = "none",
  focusPath,
  autoFocus = false,
}: JsonEditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const nonce = useMantineStyleNonce()?.() ?? "";
  const tell = useEffectEvent(onChange);
  const create = useEffectEvent((parent: HTMLElement) => {
    const opened = open(parent, value, nonce, (text) => tell(text));
    if (autoFocus) {
      // A dialog gives the focus to what is marked like this, whichever of them comes last.
      opened.view.contentDOM.dataset.autofocus = "";
      opened.view.focus();
    }
    return opened;
  });

  useEffect(() => {
    if (!frame.current) return;
    const opened = create(frame.current);
    editor.current = opened;
    return () => {
      opened.view.destroy();
      editor.current = undefined;
    };
  }, []);

  useEffect(() => {
    const { view, surroundings } = editor.current ?? {};
    view?.dispatch({ effects: surroundings?.reconfigure(surroundingsOf(label, readOnly)) ?? [] });
  }, [label, readOnly]);

  // Before the markers, which are about this text.
  useEffect(() => {
    if (editor.current) replace(editor.current.view, value);
  }, [value]);

  useEffect(() => {
    const view = editor.current?.view;
    if (view) view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, markers)));
  }, [markers]);

  useEffect(() => {
    const view = editor.current?.view;
    if (!view || focusPath === undefined) return;
    const range = pointerRange(view.state, focusPath);
    if (range) {
      view.dispatch({
        selection: { anchor: range.from, head: range.to },
        effects: EditorView.scrollIntoView(range.from, { y: "center" }),
      });
    }
    view.focus();
  }, [focusPath]);

  const heights = { "--json-editor-min": minHeight, "--json-editor-max": maxHeight } as CSSProperties;
  return <div ref={frame} className={classes.frame} style={heights} data-readonly={readOnly || undefined} />;
}

interface Editor {
  view: EditorView;
  surroundings: Compartment;
}

/** Marks changes from outside, which are not reported through `onChange`. */
const fromOutside = Annotation.define<boolean>();

function open(parent: HTMLElement, doc: string, nonce: string, tell: (text: string) => void): Editor {
  const surroundings = new Compartment();
  const view = new EditorView({
    parent,
    doc,
    extensions: [
      nonce === "" ? [] : EditorView.cspNonce.of(nonce),
      surroundings.of([]),
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      json(),
      colours,
      look,
      EditorView.lineWrapping,
      keymap.of([
        // Ctrl+Enter belongs to the form around the field.
        ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
        // An undo here is not also one of the form.
        ...historyKeymap.map((binding) => ({ ...binding, stopPropagation: true })),
        // Without the panel: the markers are listed beside the field.
        ...lintKeymap.filter(({ key }) => key === "F8"),
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((change) => change.annotation(fromOutside))) {
          tell(update.state.doc.toString());
        }
      }),
    ],
  });
  return { view, surroundings };
}

function surroundingsOf(label: string, readOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
  ];
}

/** Makes the document say `value`, touching only what differs, so that the caret stays where it can. */
function replace(view: EditorView, value: string): void {
  const { state } = view;
  const text = state.toText(value);
  if (text.eq(state.doc)) return;
  const [before, after] = [state.doc.toString(), text.toString()];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  view.dispatch({
    changes: { from: start, to: before.length - end, insert: after.slice(start, after.length - end) },
    annotations: fromOutside.of(true),
  });
}

function diagnosticsOf(state: EditorState, markers: readonly JsonMarker[]): Diagnostic[] {
  return markers.flatMap((marker) => {
    const range = rangeOf(state, marker);
    return range ? [{ ...range, severity: marker.severity, message: marker.message }] : [];
  });
}

function rangeOf(state: EditorState, { path, line, column }: JsonMarker): TextRange | undefined {
  if (line !== undefined) return positionRange(state, line, column ?? 1);
  return path === undefined ? { from: 0, to: 0 } : (pointerRange(state, path) ?? { from: 0, to: 0 });
}

const COLOURS: Record<string, Decoration> = {
  PropertyName: Decoration.mark({ class: tokens.key ?? "" }),
  String: Decoration.mark({ class: tokens.string ?? "" }),
  ...Object.fromEntries(
    ["Number", "True", "False", "Null"].map((name) => [name, Decoration.mark({ class: tokens.value ?? "" })]),
  ),
};

/** The colours of the JSON that is only shown. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    private tree;

    constructor(view: EditorView) {
      this.tree = syntaxTree(view.state);
      this.decorations = coloured(view);
    }

    update({ view, state, docChanged, viewportChanged }: ViewUpdate) {
      const tree = syntaxTree(state);
      if (!docChanged && !viewportChanged && tree === this.tree) return;
      this.tree = tree;
      this.decorations = coloured(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function coloured({ state, visibleRanges }: EditorView): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        const colour = Object.hasOwn(COLOURS, node.name) ? COLOURS[node.name] : undefined;
        if (colour && node.from < node.to) marks.push(colour.range(node.from, node.to));
      },
    });
  }
  return Decoration.set(marks, true);
}

/** Both grounds by the variables of the app; the base theme knows the light one only. */
const look = EditorView.theme({
  "&": {
    color: "var(--mantine-color-text)",
    fontSize: "0.75rem",
    backgroundColor: "transparent",
    maxHeight: "var(--json-editor-max)",
    borderRadius: "inherit",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-content, .cm-gutter": { minHeight: "var(--json-editor-min)" },
  ".cm-scroller": {
    overflow: "auto",
    borderRadius: "inherit",
    fontFamily: "var(--mantine-font-family-monospace)",
    lineHeight: "1.55",
  },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--mantine-color-text)" },
  ".cm-line": { padding: "0 0.625rem 0 0.25rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--mantine-color-text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--mantine-color-brand-5) 32%, transparent)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--desk-hover) 60%, transparent)" },
  ".cm-gutters": {
    border: "0",
    backgroundColor: "transparent",
    color: "var(--desk-quiet)",
  },
  ".cm-gutter-lint": { width: "1.25em" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 0.125em" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--desk-selected)",
    outline: "1px solid var(--mantine-color-brand-5)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--mantine-color-red-light)" },
  ".cm-tooltip": {
    border: "1px solid var(--desk-line)",
    borderRadius: "var(--mantine-radius-md)",
    backgroundColor: "var(--desk-raised)",
    color: "var(--mantine-color-text)",
    boxShadow: "var(--mantine-shadow-md)",
    fontFamily: "var(--mantine-font-family)",
    maxWidth: "28rem",
  },
  ".cm-diagnostic": { padding: "0.375rem 0.625rem", borderLeftWidth: "3px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--desk-error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--desk-warning)" },
  ".cm-diagnostic-hint": { borderLeftColor: "var(--desk-hint)" },
  ".cm-lintRange-active": { backgroundColor: "var(--mantine-color-yellow-light)" },
});
