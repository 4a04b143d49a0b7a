import { EditorView } from "@codemirror/view";
import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Template } from "@/bindings/model";
import { creationJson } from "./json-text";

const editorNamed = async (name: string) => {
  const content = await screen.findByRole("textbox", { name });
  const view = EditorView.findFromDOM(content);
  if (!view) throw new Error(`${name} is no editor`);
  return view;
};
const write = (view: EditorView, text: string) =>
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));

const openJson = async () => {
  const app = renderApp("/drafts/draft-1");
  await app.user.click(await screen.findByRole("radio", { name: "JSON" }));
  const saves = () => app.host.calls.filter(({ name }) => name === "save_draft").map(({ request }) => request);
  return { ...app, saves, view: await editorNamed("Template as JSON") };
};

describe("the JSON of a creation", () => {
  it("writes long identifiers digit by digit, and keeps what it does not know", () => {
    const template = { name: "a", language: "en", category: "utility", components: [], later: { x: 1 } } as Template;
    const text = creationJson({ template, wabaIds: ["90071992547409931234", "007"] });
    expect(text.replaceAll(/\s/g, "")).toBe(
      '{"waba_ids":[90071992547409931234,"007"],"name":"a","language":"en","category":"utility","components":[],"later":{"x":1}}',
    );
    expect(creationJson({ template: { ...template, name: '"waba_ids": 0' }, wabaIds: [] })).toContain(
      '"waba_ids": [],\n  "name": "\\"waba_ids\\": 0"',
    );
  });
});

describe("the JSON view", () => {
  it("changes the form, and the form changes it", async () => {
    const { user, view, saves } = await openJson();
    const text = view.state.doc.toString();
    expect(text).toContain('"waba_ids": [\n    102290129340398\n  ]');
    const written = text.replace("summer_sale_follow_up", "from_json").replace('"name"', '"later": 1,   "name"');
    write(view, written);
    expect(await screen.findByRole("heading", { level: 1, name: "from_json" })).toBeDefined();
    // What was written stays as it was written.
    expect(view.state.doc.toString()).toBe(written);
    await waitFor(() => expect(saves().at(-1)).toMatchObject({ template: { later: 1 }, jsonText: null }));
    await user.click(screen.getByRole("radio", { name: "Form" }));
    fireEvent.change(await screen.findByRole("textbox", { name: /^Name/ }), { target: { value: "from_form" } });
    await user.click(screen.getByRole("radio", { name: "JSON" }));
    const again = (await editorNamed("Template as JSON")).state.doc.toString();
    expect(again).toContain('"name": "from_form"');
    expect(again).toContain('"later": 1');
  });

  it("keeps unreadable JSON with the draft, and the last readable form", async () => {
    const { user, view, saves } = await openJson();
    write(view, '{"name": ');
    expect(await screen.findByText(/Invalid JSON at line 1/)).toBeDefined();
    await waitFor(() =>
      expect(saves().at(-1)).toMatchObject({ jsonText: '{"name": ', template: { name: "summer_sale_follow_up" } }),
    );
    await user.click(screen.getByRole("radio", { name: "Form" }));
    const name = await screen.findByRole<HTMLInputElement>("textbox", { name: /^Name/ });
    expect(name.value).toBe("summer_sale_follow_up");
    // A change in the form replaces that text; undoing gives it back.
    fireEvent.change(name, { target: { value: "another" } });
    expect(screen.queryByText(/Invalid JSON at line 1/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await user.click(await screen.findByRole("button", { name: "Open JSON" }));
    expect((await editorNamed("Template as JSON")).state.doc.toString()).toBe('{"name": ');
    await user.click(screen.getByRole("button", { name: "Discard the JSON text" }));
    await waitFor(async () =>
      expect((await editorNamed("Template as JSON")).state.doc.toString()).toContain("summer_sale_follow_up"),
    );
  });

  it("reveals the position of a finding in the text, any number of times", async () => {
    const { user, view } = await openJson();
    write(view, view.state.doc.toString().replace("summer_sale_follow_up", "Bad Name"));
    const jump = await within(screen.getByRole("list", { name: "Checks" })).findByRole("button", {
      name: /A name has lower-case letters/,
    });
    for (let times = 0; times < 2; times += 1) {
      act(() => {
        view.contentDOM.blur();
        view.dispatch({ selection: { anchor: 0 } });
      });
      await user.click(jump);
      await waitFor(() => {
        const { from, to } = view.state.selection.main;
        expect(view.state.sliceDoc(from, to)).toBe('"Bad Name"');
      });
    }
  });
});

describe("payment data", () => {
  it("are JSON, kept as text while they cannot be read, with their files", async () => {
    const host = createFakeHost();
    const { user } = renderApp("/drafts/draft-1", host);
    const saved = () => host.calls.filter(({ name }) => name === "save_draft").at(-1)?.request;
    await user.click(await screen.findByRole("button", { name: "Add payment data" }));
    const pix = await screen.findByRole("group", { name: "Pix data (pix_data)" });
    await user.click(within(pix).getByRole("button", { name: "Insert example" }));
    const view = await editorNamed("Pix data (pix_data)");
    await waitFor(() => expect(view.state.doc.toString()).toContain('"key_type": "CNPJ"'));
    await waitFor(() => expect(saved()).toMatchObject({ template: { pix_data: { key_type: "CNPJ" } } }));
    // Every digit is kept, in the field and in what is saved.
    write(view, '{"amount": 12345678901234567890123, "rate": 1.0}');
    await waitFor(() =>
      expect(saved()).toMatchObject({
        template: { pix_data: { amount: { $number: "12345678901234567890123" }, rate: { $number: "1.0" } } },
      }),
    );
    write(view, '{"code": 1');
    await waitFor(() => expect(saved()).toMatchObject({ template: { pix_data: '{"code": 1' } }));
    expect(view.state.doc.toString()).toBe('{"code": 1');
    write(view, " ");
    await waitFor(() => expect(saved()).not.toMatchObject({ template: { pix_data: expect.anything() } }));
    const file = screen.getByRole("group", { name: "File for the order data" });
    await user.click(await within(file).findByRole("button", { name: "summer.jpg" }));
    await waitFor(() => expect(saved()).toMatchObject({ orderFile: { name: "summer.jpg" } }));
    await user.click(within(file).getByRole("button", { name: "Remove file" }));
    await waitFor(() => expect(saved()).toMatchObject({ orderFile: null }));
  });
});
