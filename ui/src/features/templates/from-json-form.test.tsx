import { EditorView } from "@codemirror/view";
import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { expect, it, vi } from "vitest";

const GOOD = '{"name":"from_json","language":"pt_BR","category":"UTILITY","components":[],"waba_ids":["7"]}';

async function open(host = createFakeHost({ templates: 5 })) {
  const app = renderApp("/templates", host);
  await app.user.click(await screen.findByRole("button", { name: "Import from JSON…" }));
  const dialog = await screen.findByRole("dialog", { name: "Template from JSON" });
  const field = await within(dialog).findByRole("textbox", { name: "Template JSON" });
  const view = EditorView.findFromDOM(field);
  if (!view) throw new Error("no editor");
  const write = (text: string) =>
    act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  const click = (name: string) => app.user.click(within(dialog).getByRole("button", { name }));
  const text = () => view.state.doc.toString();
  return { ...app, host, dialog, field, write, click, text };
}

it("says where unreadable JSON is wrong, keeps it, and makes a draft of it once it is right", async () => {
  const first = await open();
  await waitFor(() => expect(document.activeElement).toBe(first.field));
  await first.click("Create draft");
  expect((await within(first.dialog).findByRole("alert")).textContent).toBe("Paste or write the JSON first.");
  first.write('{\n  "name": ?\n}');
  expect(within(first.dialog).queryByRole("alert")).toBeNull();
  await first.click("Create draft");
  expect((await within(first.dialog).findByRole("alert")).textContent).toMatch(/^Line 2, column 11: /);
  expect(first.text()).toBe('{\n  "name": ?\n}');
  expect(first.host.calls.some(({ name }) => name === "create_draft")).toBe(false);
  const { violations } = await axe.run(first.dialog, {
    // Nothing is painted here; and the library heads a dialog with a `<header>`, which is no banner inside of it.
    rules: { "color-contrast": { enabled: false }, "landmark-no-duplicate-banner": { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 200)).join()}`)).toEqual([]);

  // Closed by mistake: what was typed is there again.
  await first.user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  first.unmount();
  const second = await open();
  expect(second.text()).toBe('{\n  "name": ?\n}');
  second.write(GOOD);
  await second.click("Create draft");
  await waitFor(() => expect(window.location.hash).toContain("/drafts/"));
  expect(second.host.calls.find(({ name }) => name === "create_draft")?.request).toEqual({
    workspace: "sandbox",
    fromJson: GOOD,
    edit: false,
  });
  second.unmount();
  expect((await open()).text()).toBe("");
});

it("shows what the host says against a text that can be read", async () => {
  const host = createFakeHost({ templates: 5 });
  host.answer("create_draft", () => refusal({ code: "storage", reason: "disk is full" }));
  const { write, click, text } = await open(host);
  write(GOOD);
  await click("Create draft");
  expect(await screen.findByText("disk is full")).toBeDefined();
  expect(text()).toBe(GOOD);
  write("");
});

it("reads a file, and says why one cannot be read", async () => {
  const host = createFakeHost({ templates: 5 });
  const answers = [
    () => null,
    () => refusal({ code: "file", name: "a.json", reason: "line 1 is wrong" }),
    () => host.call("get_draft", { draft: "draft-1" }),
  ];
  host.answer("import_template", () => answers.shift()?.() ?? null);
  const { click, dialog } = await open(host);
  await click("Choose a file…");
  // Nothing chosen: nothing happens.
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(within(dialog).queryByRole("alert")).toBeNull();
  await click("Choose a file…");
  expect(await within(dialog).findByText("a.json: line 1 is wrong")).toBeDefined();
  await click("Choose a file…");
  await waitFor(() => expect(window.location.hash).toContain("/drafts/draft-1"));
});

it("pastes where the window may read the clipboard, and offers it no longer where it may not", async () => {
  const readText = vi.fn<() => Promise<string>>().mockResolvedValueOnce(GOOD).mockRejectedValueOnce(new Error("no"));
  const { click, dialog, text, write } = await open();
  vi.spyOn(navigator.clipboard, "readText").mockImplementation(readText);
  await click("Paste");
  await waitFor(() => expect(text()).toBe(GOOD));
  await click("Paste");
  await waitFor(() => expect(within(dialog).queryByRole("button", { name: "Paste" })).toBeNull());
  expect(text()).toBe(GOOD);
  write("");
});
