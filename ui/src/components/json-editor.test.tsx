import { json } from "@codemirror/lang-json";
import { forEachDiagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it, vi } from "vitest";
import JsonEditor, { type JsonMarker } from "./json-editor";
import { pointerRange, positionRange } from "./json-editor-ranges";

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [json()] });
const TEXT = `{
  "name": "a",
  "list": [1, [true, null], {"deep": {"text": "b", "text": "c"}}],
  "a/b~c": "d",
  "\\u0065scaped": -1.5e3,
  "empty": {}
}`;

describe("the range of a pointer", () => {
  it.each([
    ["", "{"],
    ["/name", '"a"'],
    ["/list", '"list"'],
    ["/list/0", "1"],
    ["/list/1", "["],
    ["/list/1/0", "true"],
    ["/list/1/1", "null"],
    ["/list/2", "{"],
    ["/list/2/deep", '"deep"'],
    ["/list/2/deep/text", '"c"'],
    ["/a~1b~0c", '"d"'],
    ["/escaped", "-1.5e3"],
    ["/empty", '"empty"'],
    // Not there: what is around it.
    ["/missing", "{"],
    ["/list/9", '"list"'],
    ["/list/01", '"list"'],
    ["/list/-", '"list"'],
    ["/list/2/deep/other/further", '"deep"'],
    ["/name/0", '"a"'],
    ["/empty/x", '"empty"'],
    ["/toString", "{"],
  ])("%s is %s", (pointer, expected) => {
    const state = stateOf(TEXT);
    const range = pointerRange(state, pointer);
    expect(range && state.sliceDoc(range.from, range.to)).toBe(expected);
  });

  it.each([
    ["unfinished text", '{"a": {"b": "c', "/a/b", '"a"'],
    ["a missing comma", '{"a": 1 "b": 2}', "/b", "2"],
    ["a missing value", '{"a": , "b": [1, 2]}', "/b/1", "2"],
    ["a list alone", "[[1], 2]", "/1", "2"],
    ["a number alone", " 5 ", "/x", "5"],
  ])("is found in %s", (_, text, pointer, expected) => {
    const state = stateOf(text);
    const range = pointerRange(state, pointer);
    expect(range && state.sliceDoc(range.from, range.to)).toBe(expected);
  });

  it("is nowhere in a text without a value", () => {
    expect(pointerRange(stateOf(""), "/a")).toBeUndefined();
    expect(pointerRange(stateOf("  ?"), "")).toBeUndefined();
  });
});

it.each([
  [1, 1, "a"],
  [2, 2, "d"],
  [2, 99, "d"],
  [99, 2, "d"],
  [0, 0, "a"],
])("line %i, column %i is %s", (line, column, expected) => {
  const state = stateOf("ab\ncd");
  const { from, to } = positionRange(state, line, column);
  expect(state.sliceDoc(from, to)).toBe(expected);
});

function show(props: Partial<Parameters<typeof JsonEditor>[0]> = {}) {
  const onChange = vi.fn<(text: string) => void>();
  const element = (more: typeof props = {}) => (
    <MantineProvider getStyleNonce={() => "once"}>
      <JsonEditor value="{}" onChange={onChange} label="JSON of it" markers={[]} {...props} {...more} />
    </MantineProvider>
  );
  const { rerender, container } = render(element());
  const field = screen.getByRole("textbox", { name: "JSON of it" });
  const view = EditorView.findFromDOM(field);
  if (!view) throw new Error("no editor");
  return { onChange, field, view, container, update: (more: typeof props) => rerender(element(more)) };
}

describe("the editor", () => {
  it("reports edits, not changes of its value prop", () => {
    const { onChange, view, update } = show({ value: '{"a": 1}' });
    view.dispatch({ changes: { from: 6, to: 7, insert: "2" } });
    expect(onChange).toHaveBeenCalledExactlyOnceWith('{"a": 2}');
    update({ value: '{"a": 2, "b": 3}' });
    expect(view.state.doc.toString()).toBe('{"a": 2, "b": 3}');
    expect(onChange).toHaveBeenCalledOnce();
  });

  it("keeps the caret when the text is replaced around it", () => {
    const { view, update } = show({ value: '{"a": 1}' });
    view.dispatch({ selection: { anchor: 5 } });
    update({ value: '{"a": 1, "later": true}' });
    expect(view.state.selection.main.head).toBe(5);
  });

  it("does not touch a text that says the same with other line ends", () => {
    const { view, update } = show({ value: "{\n}" });
    view.dispatch({ selection: { anchor: 1 } });
    const before = view.state.doc;
    update({ value: "{\r\n}" });
    expect(view.state.doc).toBe(before);
  });

  it("puts markers where they belong", () => {
    const markers: JsonMarker[] = [
      { path: "/name", severity: "warning", message: "too short" },
      { line: 1, column: 2, severity: "error", message: "here" },
      { severity: "hint", message: "as a whole" },
    ];
    const { view, update } = show({ value: '{"name": "a"}', markers });
    const found = () => {
      const list: [string, string][] = [];
      forEachDiagnostic(view.state, ({ message }, from, to) => list.push([message, view.state.sliceDoc(from, to)]));
      return list;
    };
    expect(found()).toEqual([
      ["as a whole", ""],
      ["here", '"'],
      ["too short", '"a"'],
    ]);
    // A text and its markers may come together.
    update({ value: '{"x": 1, "name": "bc"}', markers: markers.slice(0, 1) });
    expect(found()).toEqual([["too short", '"bc"']]);
  });

  it("reveals a path", () => {
    const { field, view, update } = show({ value: '{"name": "a"}' });
    update({ value: '{"name": "a"}', focusPath: "/name" });
    expect(document.activeElement).toBe(field);
    expect(view.state.selection.main).toMatchObject({ from: 9, to: 12 });
  });

  it("lets Tab and Ctrl+Enter pass", () => {
    const { field, view } = show();
    expect(fireEvent.keyDown(field, { key: "Tab", keyCode: 9 })).toBe(true);
    expect(fireEvent.keyDown(field, { key: "Enter", keyCode: 13, ctrlKey: true })).toBe(true);
    expect(view.state.doc.toString()).toBe("{}");
  });

  it("takes no changes where it is read only", () => {
    const { field, view } = show({ readOnly: true });
    expect(field.getAttribute("aria-readonly")).toBe("true");
    expect(view.state.readOnly).toBe(true);
  });

  it("writes its styles under the nonce of the page", () => {
    show();
    const styles = [...document.querySelectorAll("style")].filter(({ textContent }) =>
      textContent?.includes(".cm-content"),
    );
    expect(styles.map((style) => style.getAttribute("nonce"))).toEqual(["once"]);
  });

  it("can be read by assistive tools", async () => {
    const { container } = show({ markers: [{ path: "/a", severity: "error", message: "wrong" }] });
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
