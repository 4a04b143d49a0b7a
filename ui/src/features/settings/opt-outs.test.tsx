import { createFakeHost, refusal } from "@test/fake-host";
import { imported } from "@test/fake-opt-outs";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const OPT_OUTS = "/settings?section=optOuts";

const people = async () => within(await screen.findByRole("list", { name: "Opt-outs" }));

describe("opt-outs in the settings", () => {
  it("list who stopped, how and for which business, and allow again what was noted here", async () => {
    const { host, user } = renderApp(OPT_OUTS);
    const list = await people();
    expect(list.getByText(/^Stopped in WhatsApp · .*All numbers$/)).toBeTruthy();
    expect(list.getByText(/^Replied with an opt-out word · .*Only Main number$/)).toBeTruthy();
    // A choice in WhatsApp is left to the person.
    expect(list.queryByRole("button", { name: "Allow Rafael Dias again" })).toBeNull();
    await user.click(list.getByRole("button", { name: "Allow +55 11 97777-0002 again" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Allow marketing to +55 11 97777-0002 again?" }));
    await user.click(dialog.getByRole("button", { name: "Allow again" }));
    expect(host.calls.find(({ name }) => name === "note_marketing")?.request).toMatchObject({
      contact: "5511977770002",
      isStopped: false,
      number: "108001",
      waba: "201",
    });
    await waitFor(() => expect(screen.queryByText(/Replied with/)).toBeNull());
  });

  it("are searched, and added by hand with the reason of a refusal at the field", async () => {
    const { user } = renderApp(OPT_OUTS);
    await people();
    await user.type(screen.getByRole("searchbox", { name: "Search names and numbers" }), "rafael");
    expect(await screen.findByText("1 entry")).toBeTruthy();
    await user.clear(screen.getByRole("searchbox", { name: "Search names and numbers" }));
    await user.click(screen.getByRole("button", { name: "Add a person" }));
    const form = within(await screen.findByRole("dialog", { name: "Add a person" }));
    const person = form.getByRole("textbox", { name: /^Phone number or user ID/ });
    await user.type(person, "12");
    await user.click(form.getByRole("button", { name: "Add" }));
    expect(
      await form.findByText(
        "This is not a phone number: it is too short. Check its digits and its country code, such as +55 11 91234-5678.",
      ),
    ).toBeTruthy();
    await user.clear(person);
    await user.type(person, "+55 11 91234-5678");
    await user.click(form.getByRole("button", { name: "Add" }));
    expect(await screen.findByText("+5511912345678")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("are imported whole, or not at all with the reason of each faulty row", async () => {
    const host = createFakeHost({ templates: 40 });
    const faults = [
      { line: 3, code: "since", value: "28/11/2025", problem: null },
      { line: 9, code: "business", value: "9", problem: null },
    ] as const;
    host.answer("import_opt_outs", () => imported({ rows: 10, faults: [...faults], faulty: 3 }));
    const { user } = renderApp(OPT_OUTS, host);
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    const report = within(await screen.findByRole("alert"));
    expect(report.getByText("“stops.csv” was not imported: 3 of 10 rows have a problem")).toBeTruthy();
    expect(report.getByText(/^Line 3, “28\/11\/2025”: Write the date as 2026-11-28/)).toBeTruthy();
    expect(report.getByText("And 1 more row")).toBeTruthy();
    host.answer("import_opt_outs", () => imported({ rows: 10, added: 8, known: 2 }));
    await user.click(screen.getByRole("button", { name: "Import CSV" }));
    expect(await screen.findByText("“stops.csv” was imported")).toBeTruthy();
    expect(screen.getByText("8 opt-outs added · 2 already in the list")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText("2 entries exported")).toBeTruthy();
  });

  it("are imported once the person knows how many it concerns, and taken back from the toast", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("import_opt_outs", () =>
      imported({ id: "file", name: "big.csv", rows: 20_000, added: 19_990, known: 10 }),
    );
    host.answer("store_opt_outs", () =>
      imported({ id: "file", name: "big.csv", rows: 20_000, added: 19_990, known: 10 }),
    );
    const { user } = renderApp(OPT_OUTS, host);
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    const title = "19,990 people of “big.csv” will get no marketing any more";
    const question = within(await screen.findByRole("dialog", { name: title }));
    expect(question.getByText("10 rows are of people who are in the list already.")).toBeTruthy();
    expect(host.calls.some(({ name }) => name === "store_opt_outs")).toBe(false);
    await user.click(question.getByRole("button", { name: "Stop their marketing" }));
    expect(await screen.findByText("“big.csv” was imported")).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.queryByText("“big.csv” was imported")).toBeNull());
    expect(host.calls.find(({ name }) => name === "undo_opt_out_import")?.request).toMatchObject({ id: "file" });
  });

  it("say which file a person was imported from", async () => {
    const host = createFakeHost({ templates: 40 });
    const stop = { since: NOW, source: "note", accounts: null, file: "big.csv" } as const;
    const row = { person: "5511977770009", formatted: "+55 11 97777-0009", name: null, stop, number: "", waba: "" };
    host.answer("list_opt_outs", () => ({ rows: [row], found: 1, total: 1 }));
    renderApp(OPT_OUTS, host);
    expect((await people()).getByText(/^Imported from “big.csv” · /)).toBeTruthy();
  });

  it("name the words of a column in the language of the window, as exported files have them", async () => {
    window.history.replaceState(null, "", "?language=pt-BR");
    const host = createFakeHost({ templates: 40 });
    window.history.replaceState(null, "", "/");
    const faults = [{ line: 2, code: "how", value: "???" }] as const;
    host.answer("import_opt_outs", () => imported({ rows: 1, faults: [...faults], faulty: 1 }));
    const { user } = renderApp(OPT_OUTS, host);
    await user.click(await screen.findByRole("button", { name: "Importar CSV" }));
    const words = "interrompeu no WhatsApp, recusa do WhatsApp, palavra de descadastro, anotado";
    expect(await screen.findByText(new RegExp(`Linha 2, “\\?\\?\\?”: .*: ${words}\\.$`))).toBeTruthy();
  });

  it("name who is not added because marketing was allowed again, and stop them if that is wanted", async () => {
    const host = createFakeHost({ templates: 40 });
    const row = { formatted: "+55 11 97777-0003", person: "5511977770003", allowedAt: NOW, number: "108001", waba: "" };
    const notAdded = [
      { ...row, line: 2, name: "Bia", allowedBy: "note" },
      { ...row, line: 3, person: "5511977770004", name: null, allowedBy: "preference" },
    ] as const;
    host.answer("import_opt_outs", () => imported({ rows: 3, known: 1, notAdded: [...notAdded] }));
    const { user } = renderApp(OPT_OUTS, host);
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    expect(await screen.findByText("No opt-out added · 1 already in the list · 2 not added")).toBeTruthy();
    const names = within(screen.getByRole("list", { name: "People who are not added" })).getAllByRole("listitem");
    expect(names[0]?.textContent).toMatch(/^Bia: marketing was allowed again here: ./);
    expect(names[1]?.textContent).toMatch(/^\+55 11 97777-0003: they resumed marketing in WhatsApp: ./);
    await user.click(screen.getByRole("button", { name: "Stop these people too" }));
    expect(await screen.findByText("2 opt-outs added · 1 already in the list")).toBeTruthy();
    expect(host.calls.find(({ name }) => name === "add_opt_outs")?.request).toMatchObject({
      people: [
        { person: "5511977770003", number: "108001", waba: "" },
        { person: "5511977770004", number: "108001", waba: "" },
      ],
    });
  });

  it("say which names of the column are understood, and forget the import before", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("import_opt_outs", () => imported({ rows: 1, added: 1 }));
    const { user } = renderApp(OPT_OUTS, host);
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    expect(await screen.findByText("“stops.csv” was imported")).toBeTruthy();
    host.answer("import_opt_outs", () => imported({ rows: 1, unknownColumns: ["cliente", "code"] }));
    await user.click(screen.getByRole("button", { name: "Import CSV" }));
    const report = within(await screen.findByRole("alert"));
    expect(report.getByText("“stops.csv” was not imported: no column of phone numbers")).toBeTruthy();
    expect(report.getByText(/“person”, “phone”, .*“number”.* It has these columns: cliente, code$/)).toBeTruthy();
    expect(screen.queryByText("“stops.csv” was imported")).toBeNull();

    host.answer("import_opt_outs", () => imported({ rows: 1, added: 1 }));
    await user.click(screen.getByRole("button", { name: "Import CSV" }));
    expect(await screen.findByText("“stops.csv” was imported")).toBeTruthy();
    host.answer("import_opt_outs", () => refusal({ code: "file", name: "stops.csv", reason: "it is empty" }));
    await user.click(screen.getByRole("button", { name: "Import CSV" }));
    await waitFor(() => expect(screen.queryByText("“stops.csv” was imported")).toBeNull());
  });

  it("does not allow the next person with the second click of a double click", async () => {
    const { host, user } = renderApp(OPT_OUTS);
    await people();
    for (const number of ["+55 11 91234-5671", "+55 11 91234-5672"]) {
      await user.click(screen.getByRole("button", { name: "Add a person" }));
      const form = within(await screen.findByRole("dialog", { name: "Add a person" }));
      await user.type(form.getByRole("textbox", { name: /^Phone number or user ID/ }), number);
      await user.click(form.getByRole("button", { name: "Add" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    const [first, second] = screen.getAllByRole("button", { name: /^Allow \+551191234567. again$/ });
    fireEvent.click(first as HTMLElement, { detail: 1 });
    await waitFor(() => expect(first?.isConnected).toBe(false));
    fireEvent.click(second as HTMLElement, { detail: 2 });
    expect(host.calls.filter(({ name }) => name === "note_marketing")).toHaveLength(1);
  });

  it("follow words that are edited one per line, and can be the suggested ones again", async () => {
    const { host, user } = renderApp(OPT_OUTS);
    const words = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Words" });
    expect(words.value).toContain("sair");
    await user.clear(words);
    await user.type(words, "chega{Enter}{Enter}stop");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "save_opt_out_words")?.request).toMatchObject({
        words: ["chega", "stop"],
      }),
    );
    await user.click(screen.getByRole("button", { name: "Use the suggested words" }));
    expect(words.value).toContain("sair");
  });
});
