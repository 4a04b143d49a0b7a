import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { wholeText } from "@test/whole-text";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Recipient, Workspace } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const row = (name: RegExp) => screen.findByRole("row", { name });

describe("the address book", () => {
  it("is searched and narrowed to a label by its address", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await row(/Maria Souza/);
    await user.type(screen.getByRole("searchbox", { name: /Search by name/ }), "jonas");
    await waitFor(() => expect(screen.queryByRole("row", { name: /Maria Souza/ })).toBeNull());
    expect(await row(/Jonas Weber/)).toBeTruthy();
    await waitFor(() => expect(window.location.hash).toContain("q=jonas"));
    await user.click(screen.getByRole("combobox", { name: "Label" }));
    await user.click(await screen.findByRole("option", { name: "pilot (2)" }));
    expect(await screen.findByText("No recipients found")).toBeTruthy();
    expect(asked(host, "list_recipients").at(-1)?.request).toEqual({
      workspace: "sandbox",
      search: "jonas",
      label: "pilot",
    });
    await user.click(screen.getByRole("button", { name: "Show all recipients" }));
    expect(await row(/Maria Souza/)).toBeTruthy();
  });

  it("says what it is for while it is empty", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_recipients", () => ({ rows: [], labels: [], fields: [] }));
    renderApp("/sends/recipients", host);
    expect(await screen.findByText("The address book is empty")).toBeTruthy();
    expect(screen.getByText(/Add the numbers you test with/)).toBeTruthy();
  });

  it("marks who has stopped marketing", async () => {
    const { host } = renderApp("/sends/recipients");
    const { rows } = await host.call("list_recipients", { workspace: "sandbox" });
    const stopped = rows.filter((one) => one.stoppedMarketing).map((one) => one.name);
    expect(stopped).toHaveLength(1);
    expect(await row(new RegExp(`^${stopped[0]}.*, No marketing`))).toBeTruthy();
    expect(screen.getAllByText("No marketing")).toHaveLength(1);
  });

  it("adds a recipient with labels", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    const form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Zoë");
    await user.type(form.getByRole("textbox", { name: /Number/ }), "+44 7700 900123");
    await user.click(form.getByRole("combobox", { name: "Labels" }));
    await user.keyboard("team,");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(host, "save_recipient").at(-1)?.request).toEqual({
      id: null,
      workspace: "sandbox",
      name: "Zoë",
      number: "+44 7700 900123",
      country: null,
      labels: ["team"],
      note: "",
    });
    expect(await row(/Zoë, \+447700900123, team/)).toBeTruthy();
  });

  it("says at its field what is wrong and loses nothing of what was typed, not even when the form is closed", async () => {
    const { user } = renderApp("/sends/recipients");
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    let form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Kim");
    await user.type(form.getByRole("textbox", { name: /Number/ }), "12");
    await user.click(form.getByRole("button", { name: "Save" }));
    const number = form.getByRole<HTMLInputElement>("textbox", { name: /Number/ });
    await waitFor(() => expect(number.getAttribute("aria-invalid")).toBe("true"));
    expect(await form.findByText(/it is too short\. Check its digits/)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(number));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await user.click(screen.getByRole("button", { name: "Add recipient" }));
    form = within(await screen.findByRole("dialog"));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("Kim");
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /Number/ }).value).toBe("12");
    await user.click(form.getByRole("button", { name: "Discard it" }));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("");
    await user.click(form.getByRole("button", { name: "Cancel" }));
  });

  it("shows what a number is read as, and offers the other number that it could be", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    const form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Zoé");
    await user.type(form.getByRole("textbox", { name: /Number/ }), "(33) 98765-4321");
    expect(await form.findByText(wholeText("+55 33 98765-4321 · Brazil"))).toBeTruthy();
    expect(form.getByText("Read as a number of Brazil, because it has no country code")).toBeTruthy();
    await user.click(await form.findByRole("button", { name: "Use +33 9 87 65 43 21, France" }));
    expect(await form.findByText(wholeText("+33 9 87 65 43 21 · France"))).toBeTruthy();
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(asked(host, "save_recipient").at(-1)?.request).toMatchObject({ number: "+33987654321" }),
    );
  });

  it("asks for the country of a number before it is saved", async () => {
    const host = createFakeHost({ templates: 40 });
    const sandbox = (await host.call("get_workspace", { workspace: "sandbox" })) as Workspace;
    sandbox.settings.defaultCountry = "";
    const { user } = renderApp("/sends/recipients", host);
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    const form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Zoé");
    await user.type(form.getByRole("textbox", { name: /Number/ }), "(33) 98765-4321");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText(/This number has no country code/)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(form.getByRole("textbox", { name: /Number/ })));
    expect(asked(host, "save_recipient")).toHaveLength(0);
    await user.click(await form.findByRole("button", { name: "Use +33 9 87 65 43 21, France" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(asked(host, "save_recipient").at(-1)?.request).toMatchObject({ number: "+33987654321" }),
    );
  });

  it("saves with the first click after a number with a warning, which moves no button meanwhile", async () => {
    const host = createFakeHost({ templates: 40 });
    const checked = await host.call("check_recipient", { workspace: "sandbox", number: "+44 7700 900154" });
    const warning = {
      field: "to",
      code: "to.kind",
      severity: "warning",
      values: { kind: "other" },
      message: "",
    } as const;
    host.answer("check_recipient", () => ({ ...checked, problems: [warning] }));
    const { user } = renderApp("/sends/recipients", host);
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    const dialog = await screen.findByRole("dialog", { name: "Add recipient" });
    const number = within(dialog).getByRole("textbox", { name: /Number/ });
    await user.type(number, "+44 7700 900154");
    await within(dialog).findByText("+44 7700 900154");
    const before = dialog.textContent;
    const save = within(dialog).getByRole("button", { name: "Save" });
    await user.pointer({ keys: "[MouseLeft>]", target: save });
    expect([document.activeElement, dialog.textContent]).toEqual([number, before]);
    await user.pointer({ keys: "[/MouseLeft]", target: save });
    await waitFor(() => expect(asked(host, "save_recipient")).toHaveLength(1));
  });

  it("saves once on a double click", async () => {
    const { user, host } = renderApp("/sends/recipients");
    await user.click(await screen.findByRole("button", { name: "Add recipient" }));
    const form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Zoé");
    await user.type(form.getByRole("textbox", { name: /Number/ }), "+5511912345678");
    await user.dblClick(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(host, "save_recipient")).toHaveLength(1);
  });

  it("keeps the spelling of a number that was not changed", async () => {
    const host = createFakeHost({ templates: 40 });
    const { rows, ...list } = await host.call("list_recipients", { workspace: "sandbox" });
    const person = { ...(rows[0] as Recipient), number: "5215512345678", formatted: "+52 55 1234 5678" };
    host.answer("list_recipients", () => ({ ...list, rows: [person] }));
    const { user } = renderApp("/sends/recipients", host);
    await user.click(await row(/\+52 55 1234 5678/));
    const form = within(await screen.findByRole("dialog"));
    await user.type(form.getByRole("textbox", { name: "Note" }), "likes tulips");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(asked(host, "save_recipient").at(-1)?.request).toMatchObject({ number: "+5215512345678" }),
    );
  });

  it("changes an entry", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await user.click(await row(/Jonas Weber/));
    const form = within(await screen.findByRole("dialog", { name: "Jonas Weber" }));
    const name = form.getByRole("textbox", { name: "Name" });
    await user.clear(name);
    await user.type(name, "Jonas W.");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await row(/Jonas W\./)).toBeTruthy();
    expect(asked(host, "save_recipient").at(-1)?.request).toMatchObject({ id: "recipient-2", name: "Jonas W." });
  });

  it("deletes several after naming them, and takes it back", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await user.click(await screen.findByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Jonas Weber" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect((await row(/Maria Souza/)).getAttribute("aria-selected")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Delete 2…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Delete 2 recipients?" }));
    const names = within(dialog.getByRole("list", { name: "Recipients to delete" }));
    expect(names.getByText(/Maria Souza/)).toBeTruthy();
    expect(names.getByText(/Jonas Weber/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Delete 2 recipients" }));
    await waitFor(() => expect(screen.queryByRole("row", { name: /Maria Souza/ })).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Sends : Recipients" })),
    );
    expect(asked(host, "delete_recipients").at(-1)?.request).toEqual({
      workspace: "sandbox",
      ids: ["recipient-1", "recipient-2"],
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await row(/Maria Souza.*team, pilot/)).toBeTruthy();
    expect(await row(/Jonas Weber/)).toBeTruthy();
    expect(screen.queryByText("2 selected")).toBeNull();
  });

  it("leaves the focus where it can go on", async () => {
    const { user } = renderApp("/sends/recipients");
    const trash = await screen.findByRole("button", { name: "Delete Ana Lima" });
    await user.click(trash);
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(document.activeElement).toBe(trash));
    await user.click(screen.getByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(screen.getByRole("button", { name: /^Select all shown/ }));
    expect(document.activeElement?.textContent).toBe("6 selected");
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Sends : Recipients" }));
  });

  it("says why a deletion could not be taken back", async () => {
    const { host, user } = renderApp("/sends/recipients");
    await row(/Ana Lima/);
    await user.click(screen.getByRole("button", { name: "Delete Ana Lima" }));
    await user.click(await screen.findByRole("button", { name: "Delete 1 recipient" }));
    const undo = await screen.findByRole("button", { name: "Undo" });
    host.answer("save_recipient", () => refusal({ code: "storage", reason: "the disk is full" }));
    await user.click(undo);
    expect(await screen.findByText("the disk is full")).toBeTruthy();
  });

  it("hands those that were chosen to a new batch, with the keyboard alone", async () => {
    const { user } = renderApp("/sends/recipients");
    await row(/Maria Souza/);
    screen.getByRole("grid", { name: "Recipients" }).focus();
    await user.keyboard("{Home} {ArrowDown} ");
    await user.click(await screen.findByRole("button", { name: "Send to 2 selected" }));
    expect(await screen.findByText("Choose an approved template for 2 recipients")).toBeTruthy();
  });
});
