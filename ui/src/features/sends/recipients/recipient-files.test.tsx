import { modals } from "@mantine/modals";
import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { readFile } from "@test/fake-recipient-files";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { DeskError, RecipientImport } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);

async function openImport(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "Import…" }));
  return within(await screen.findByRole("dialog"));
}

describe("files of the address book", () => {
  it("says what an import does before anything is stored", async () => {
    const { host, user } = renderApp("/sends/recipients");
    const dialog = await openImport(user);
    expect(dialog.getByRole("heading", { name: "Import people from “people.csv”" })).toBeTruthy();
    const outcome = await dialog.findByRole("list", { name: "What the import does" });
    expect([...outcome.children].map((line) => line.textContent)).toEqual([
      "5 new people",
      "3 people are in the address book already. None of them changes.",
      "2 rows have a person again: the first row counts; labels are added and what is empty is filled in",
      "2 rows cannot be read and are left out",
    ]);
    const faults = within(dialog.getByRole("list", { name: "Rows that are left out" }));
    expect(faults.getByText(/Line 4, “12”: .*too short/)).toBeTruthy();
    expect(
      faults.getByText("Line 9, “Once upon a time”: The note has more than 2,000 characters. Shorten it."),
    ).toBeTruthy();
    expect(dialog.getByText("First Name · Last Name")).toBeTruthy();
    expect(dialog.getByText("Birthday")).toBeTruthy();
    // The default of the workspace.
    await waitFor(() =>
      expect(dialog.getByRole("combobox", { name: "Country of the numbers" })).toHaveProperty("value", "Brazil (+55)"),
    );
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(host, "store_recipient_import")).toHaveLength(0);
  });

  it("counts by the choices, imports by them and takes it back", async () => {
    const { host, user } = renderApp("/sends/recipients");
    const dialog = await openImport(user);
    await dialog.findByRole("button", { name: "Import 5" });
    await user.click(dialog.getByRole("radio", { name: /^Replace their names/ }));
    await dialog.findByRole("button", { name: "Import 7" });
    await user.click(dialog.getByRole("combobox", { name: "Country of the numbers" }));
    await user.click(await screen.findByRole("option", { name: "France (+33)" }));
    await user.type(dialog.getByRole("combobox", { name: "Label for everybody in the file" }), "Fair");
    const choices = { workspace: "sandbox", id: "file", country: "FR", label: "Fair", replaces: true };
    const go = await dialog.findByRole("button", { name: "Import 8" });
    await waitFor(() => expect(go).toHaveProperty("disabled", false));
    expect(asked(host, "plan_recipient_import").at(-1)?.request).toEqual(choices);
    await user.click(go);
    const result = within(await screen.findByRole("dialog", { name: "“people.csv” was imported" }));
    expect(asked(host, "store_recipient_import").map(({ request }) => request)).toEqual([choices]);
    expect(result.getByText("5 people added · 3 people changed")).toBeTruthy();
    host.answer("undo_recipient_import", () => ({ kept: 1 }));
    await user.click(result.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("1 person was changed or deleted since. That stays.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(host, "undo_recipient_import").at(-1)?.request).toEqual({ workspace: "sandbox", id: "file" });
  });

  it("cannot be closed while people are being imported, and keeps the way back if it is", async () => {
    const host = createFakeHost({ templates: 40 });
    let finish: (stored: RecipientImport) => void = () => undefined;
    host.answer("store_recipient_import", () => new Promise<RecipientImport>((resolve) => (finish = resolve)));
    const { user } = renderApp("/sends/recipients", host);
    const dialog = await openImport(user);
    await user.click(await dialog.findByRole("button", { name: "Import 5" }));
    await waitFor(() => expect(dialog.getByRole("button", { name: "Cancel" })).toHaveProperty("disabled", true));
    expect(dialog.getByRole("button", { name: "Close" })).toHaveProperty("disabled", true);
    await user.keyboard("{Escape}");
    expect(screen.getByRole("dialog", { name: "Import people from “people.csv”" })).toBeTruthy();
    // A notification that is clicked closes all dialogs.
    act(() => modals.closeAll());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    finish(readFile());
    const result = within(await screen.findByRole("dialog", { name: "“people.csv” was imported" }));
    await user.click(result.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("What the import added and changed was taken back.")).toBeTruthy();
  });

  it("says why an import cannot be taken back, also after its result was closed", async () => {
    const host = createFakeHost({ templates: 40 });
    let fail: (reason: DeskError) => void = () => undefined;
    host.answer("undo_recipient_import", () => new Promise<never>((_, reject) => (fail = reject)));
    const { user } = renderApp("/sends/recipients", host);
    const dialog = await openImport(user);
    await user.click(await dialog.findByRole("button", { name: "Import 5" }));
    const result = within(await screen.findByRole("dialog", { name: "“people.csv” was imported" }));
    await user.click(result.getByRole("button", { name: "Undo" }));
    act(() => modals.closeAll());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    fail({ code: "storage", reason: "the disk is full" });
    expect(await screen.findByText(/the disk is full/)).toBeTruthy();
  });

  it("says at the label what is wrong with it", async () => {
    const { user } = renderApp("/sends/recipients");
    const dialog = await openImport(user);
    const label = dialog.getByRole("combobox", { name: "Label for everybody in the file" });
    await user.click(label);
    await user.paste("x".repeat(41));
    expect(await dialog.findByText("Enter at most 40 characters.")).toBeTruthy();
    expect(label.getAttribute("aria-invalid")).toBe("true");
  });

  it("keeps the choices when an import fails, and can be tried again", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("store_recipient_import", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user } = renderApp("/sends/recipients", host);
    const dialog = await openImport(user);
    await user.type(dialog.getByRole("combobox", { name: "Label for everybody in the file" }), "Fair");
    const go = await dialog.findByRole("button", { name: "Import 8" });
    await waitFor(() => expect(go).toHaveProperty("disabled", false));
    await user.click(go);
    expect(await dialog.findByText(/the disk is full/)).toBeTruthy();
    host.answer("store_recipient_import", () => readFile({ changed: 3 }));
    await user.click(dialog.getByRole("button", { name: "Import 8" }));
    expect(await screen.findByText("5 people added · 3 people changed")).toBeTruthy();
    expect(asked(host, "store_recipient_import")).toHaveLength(2);
  });

  it("has nothing to import where nobody is new or changed", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("plan_recipient_import", () => readFile({ added: 0, faults: [], faulty: 0, repeated: 0 }));
    const { user } = renderApp("/sends/recipients", host);
    const dialog = await openImport(user);
    expect(await dialog.findByRole("button", { name: "Nothing to import" })).toHaveProperty("disabled", true);
  });

  it("names the columns of a file in which none has numbers", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("import_recipients", () => readFile({ id: null, unknownColumns: ["cliente", "code"] }));
    const { user } = renderApp("/sends/recipients", host);
    const dialog = await openImport(user);
    expect(dialog.getByRole("alert").textContent).toMatch(
      /^We can't tell which column .*It has these columns: cliente, code$/,
    );
    expect(asked(host, "plan_recipient_import")).toHaveLength(0);
  });

  it("imports into an empty address book", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_recipients", () => ({ rows: [], labels: [], fields: [] }));
    const { user } = renderApp("/sends/recipients", host);
    await screen.findByText("The address book is empty");
    const [, inEmptyState] = screen.getAllByRole("button", { name: "Import…" });
    await user.click(inEmptyState as HTMLElement);
    expect(await screen.findByRole("dialog", { name: "Import people from “people.csv”" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Export…" })).toHaveProperty("disabled", true);
  });

  it("exports the people who are shown, or those who are marked", async () => {
    const { host, user } = renderApp("/sends/recipients?label=pilot");
    await screen.findByRole("row", { name: /Maria Souza/ });
    await user.click(screen.getByRole("button", { name: "Export…" }));
    expect(await screen.findByText("6 people exported")).toBeTruthy();
    const query = { workspace: "sandbox", search: null, label: "pilot" };
    expect(asked(host, "export_recipients").at(-1)?.request).toEqual({ query, ids: null });
    await user.click(screen.getByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(screen.getByRole("button", { name: "Export 1…" }));
    expect(await screen.findByText("1 person exported")).toBeTruthy();
    expect(asked(host, "export_recipients").at(-1)?.request).toEqual({ query, ids: ["recipient-1"] });
  });
});
