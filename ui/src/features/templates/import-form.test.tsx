import { EditorView } from "@codemirror/view";
import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { expect, it, vi } from "vitest";
import type { Draft } from "@/bindings/app";

const GOOD = '{"name":"from_json","language":"pt_BR","category":"UTILITY","components":[],"waba_ids":["7"]}';

const TEMPLATE = {
  name: "from_list",
  language: "pt_BR",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Your order is on its way." }],
};

const findIn = (host: FakeHost, templates: object[]) =>
  host.call("find_templates", { workspace: "sandbox", text: JSON.stringify(templates) });

async function open(host = createFakeHost({ templates: 5 })) {
  const app = renderApp("/templates", host);
  await app.user.click(await screen.findByRole("button", { name: "Import…" }));
  const dialog = await screen.findByRole("dialog", { name: "Import templates" });
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
  await first.click("Create drafts");
  expect((await within(first.dialog).findByRole("alert")).textContent).toBe("Paste or write the JSON first.");
  first.write('{\n  "name": ?\n}');
  expect(within(first.dialog).queryByRole("alert")).toBeNull();
  await first.click("Create drafts");
  expect((await within(first.dialog).findByRole("alert")).textContent).toMatch(/^Line 2, column 11: /);
  expect(first.text()).toBe('{\n  "name": ?\n}');
  expect(first.host.calls.some(({ name }) => name === "save_draft")).toBe(false);
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
  await second.click("Create drafts");
  await waitFor(() => expect(window.location.hash).toContain("/drafts/"));
  expect(second.host.calls.find(({ name }) => name === "save_draft")?.request).toMatchObject({
    workspace: "sandbox",
    wabaIds: ["7"],
    template: { name: "from_json", language: "pt_BR" },
  });
  second.unmount();
  expect((await open()).text()).toBe("");
});

it("shows what the host says against a text that can be read", async () => {
  const host = createFakeHost({ templates: 5 });
  host.answer("save_draft", () => refusal({ code: "storage", reason: "disk is full" }));
  const { write, click, text } = await open(host);
  write(GOOD);
  await click("Create drafts");
  expect(await screen.findByText("disk is full")).toBeDefined();
  expect(text()).toBe(GOOD);
  write("");
});

it("reads a file, and says why none can be read", async () => {
  const host = createFakeHost({ templates: 5 });
  const one = () => findIn(host, [TEMPLATE]);
  const answers = [() => null, () => refusal({ code: "file", name: "a", reason: "it has no .json files" }), one];
  host.answer("choose_templates", () => answers.shift()?.() ?? null);
  const { click, dialog } = await open(host);
  await click("Choose files…");
  // Nothing chosen: nothing happens.
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(within(dialog).queryByRole("alert")).toBeNull();
  await click("Choose a folder…");
  expect(await within(dialog).findByText("a: it has no .json files")).toBeDefined();
  const asked = host.calls.filter(({ name }) => name === "choose_templates").map(({ request }) => request);
  expect(asked).toEqual([
    { workspace: "sandbox", folder: false },
    { workspace: "sandbox", folder: true },
  ]);
  await click("Choose files…");
  await waitFor(() => expect(window.location.hash).toContain("/drafts/"));
});

it("lists several templates to choose from, and names what could not be read", async () => {
  const { user, host, write, click, dialog } = await open();
  const two = { ...TEMPLATE, name: "second", components: [{ type: "BODY", text: "Hello {{1}}" }] };
  write(
    JSON.stringify({ data: [TEMPLATE, { id: "1", name: "broken", components: 5 }, two, { ...two, name: "third" }] }),
  );
  await click("Create drafts");
  const table = await within(dialog).findByRole("table", { name: "Templates found" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "from_listPortuguese (Brazil)UtilityNone",
    expect.stringMatching(/^secondPortuguese \(Brazil\)Utility\d problems?$/),
    expect.stringMatching(/^thirdPortuguese \(Brazil\)Utility\d problems?$/),
  ]);
  const unreadable = within(dialog).getByRole("region", { name: "1 could not be read" });
  expect(unreadable.textContent).toContain("Number 2 in the list · broken `components` is a number");
  await user.click(within(table).getAllByRole("button", { name: /^\d problems?$/ })[0] as HTMLElement);
  expect(within(table).getByRole("list", { name: "Problems" })).toBeDefined();

  const create = () => within(dialog).getByRole<HTMLButtonElement>("button", { name: /^Create \d+ drafts?$/ });
  expect(create().disabled).toBe(true);
  await user.type(within(dialog).getByRole("searchbox", { name: "Search names and files" }), "ir");
  await waitFor(() => expect(within(table).queryByText("second")).toBeNull());
  await user.click(within(table).getByRole("checkbox", { name: "Select all shown" }));
  await user.click(within(dialog).getByRole("button", { name: "Clear the search" }));
  await user.click(await within(table).findByRole("checkbox", { name: "Select from_list, Portuguese (Brazil)" }));
  await user.click(within(dialog).getByRole("combobox", { name: "Account" }));
  await user.click(await screen.findByRole("option", { name: "102290129340411" }));
  await user.click(create());
  await waitFor(() => expect(window.location.hash).toContain("view=drafts"));
  expect(await screen.findByText("2 drafts created")).toBeDefined();
  const saved = host.calls.filter(({ name }) => name === "save_draft").map(({ request }) => request as Draft);
  expect(saved.map(({ template }) => template.name)).toEqual(["from_list", "third"]);
  expect(saved.map(({ wabaIds }) => wabaIds)).toEqual([["102290129340411"], ["102290129340411"]]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("names the part that a problem is about, and Escape closes the problems before the dialog", async () => {
  const { user, write, click, dialog } = await open();
  const wrong = {
    ...TEMPLATE,
    components: [{ type: "HEADER", format: "TEXT", text: "{{1}}" }, ...TEMPLATE.components],
  };
  const body = { ...TEMPLATE, name: "second", components: [{ type: "BODY", text: "{{1}}, hello" }] };
  write(JSON.stringify([wrong, body]));
  await click("Create drafts");
  const [header, other] = await within(dialog).findAllByRole("button", { name: /^\d problems?$/ });
  await user.click(header as HTMLElement);
  const lists = () => within(dialog).queryAllByRole("list", { name: "Problems" });
  expect(lists().map((list) => list.querySelector("p")?.textContent)).toEqual(["Header"]);
  await user.click(other as HTMLElement);
  expect(lists().map((list) => list.querySelector("p")?.textContent)).toEqual(["Header", "Body"]);

  // The explanation of a problem closes before the problems.
  const [, why] = within(dialog).getAllByRole("button", { name: "Why?" });
  await user.click(why as HTMLElement);
  await user.keyboard("{Escape}");
  expect(why?.getAttribute("aria-expanded")).toBe("false");
  expect(lists()).toHaveLength(2);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(lists()).toHaveLength(1));
  expect(document.activeElement).toBe(other);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(lists()).toHaveLength(0));
  expect(document.activeElement).toBe(header);
  expect(screen.getByRole("dialog")).toBeDefined();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("offers no drafts where none can be read", async () => {
  const { write, click, dialog } = await open();
  write('[{"name":"broken","components":5}]');
  await click("Create drafts");
  expect(await within(dialog).findByText("No templates found.")).toBeDefined();
  expect(within(dialog).queryByRole("button", { name: /^Create/ })).toBeNull();
  await click("Back");
  write("");
});

it("pastes where the window may read the clipboard, and says the keys where it may not", async () => {
  const readText = vi.fn<() => Promise<string>>().mockResolvedValueOnce(GOOD).mockRejectedValueOnce(new Error("no"));
  const { click, dialog, text, write } = await open();
  vi.spyOn(navigator.clipboard, "readText").mockImplementation(readText);
  await click("Paste");
  await waitFor(() => expect(text()).toBe(GOOD));
  await click("Paste");
  expect((await within(dialog).findByRole("status")).textContent).toContain("press Ctrl+V");
  expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Paste" }).disabled).toBe(true);
  expect(text()).toBe(GOOD);
  write("");
});

it("makes the body of a template of a pasted message, and says so", async () => {
  const { host, write, click, dialog } = await open();
  write("*Olá* {{1}}, sua compra chegou!");
  await click("Create drafts");
  const row = await within(dialog).findByRole("row", { name: /^Select ola_sua_compra_chegou/ });
  expect(row.textContent).toContain("Plain text: it became the body");
  await click("Create 1 draft");
  await waitFor(() => expect(window.location.hash).toContain("/drafts/"));
  expect(host.calls.find(({ name }) => name === "save_draft")?.request).toMatchObject({
    template: { components: [{ type: "BODY", text: "*Olá* {{1}}, sua compra chegou!" }] },
  });
});

it("says in the language of the window what no template can be read from", async () => {
  window.history.replaceState(null, "", "?language=pt-BR");
  const host = createFakeHost({ templates: 5 });
  window.history.replaceState(null, "", "/");
  host.answer("choose_templates", async () => ({
    ...(await findIn(host, [TEMPLATE])),
    unreadable: [
      { source: "a.png", name: "", reason: { line: 1, column: 1, code: "read.binary", message: "Neither." } },
      { source: "b.json", name: "", reason: { line: 2, column: 3, code: "read.json", message: "Invalid JSON." } },
    ],
    foldersLeftOut: 2,
  }));
  const { user } = renderApp("/templates", host);
  await user.click(await screen.findByRole("button", { name: "Importar…" }));
  await user.click(await screen.findByRole("button", { name: "Escolher uma pasta…" }));
  expect(await screen.findByText("Não é JSON nem texto em UTF-8. Escolha um arquivo JSON ou de texto.")).toBeDefined();
  expect(
    screen.getByText("Linha 2, coluna 3: O JSON não é válido. Corrija o arquivo e escolha-o de novo."),
  ).toBeDefined();
  expect(screen.getByText(/^2 pastas não foram lidas/)).toBeDefined();
});
