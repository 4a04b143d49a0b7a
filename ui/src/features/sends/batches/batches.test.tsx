import { NO_FINDING, NUMBERS } from "@test/fake-batches";
import { CSV } from "@test/fake-csv";
import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchPlanRequest } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";
import { forgetDraft } from "./draft";

const NEW = "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000";
const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const planned = (host: FakeHost) => asked(host, "plan_batch").at(-1)?.request as BatchPlanRequest;
const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(() => forgetDraft("sandbox"));

const phone = () => screen.getByRole("complementary", { name: "Preview" });

/** A new batch with the file chosen, its guesses taken, and what they leave open filled in. */
async function withFile(user: UserEvent) {
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await button("Choose a CSV file…"));
  await screen.findByText("customers.csv");
  await user.click(screen.getByRole("combobox", { name: /^Link ending: Shop the sale/ }));
  await user.click(await screen.findByRole("option", { name: "Shop" }));
}

describe("a batch of a file", () => {
  it("asks what the first row is where that is not clear, and follows the answer", async () => {
    const host = createFakeHost({ templates: 40 });
    const file = await host.call("set_csv_header", { file: "csv-1", hasHeader: false });
    host.answer("choose_csv", () => ({ ...file, id: "csv-1", headerUncertain: true }));
    const { user } = renderApp(NEW, host);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    const first = within(await screen.findByRole("radiogroup", { name: /First row: First name · Phone/ }));
    // Until then it is nobody's header.
    expect(screen.getByRole("cell", { name: "First name" })).toBeTruthy();
    expect(screen.getByText("Row 1 · 1 of 4")).toBeTruthy();
    expect(screen.getByText("First row: First name · Phone · 1 · 2 · …").title).toBe(
      "First name · Phone · 1 · 2 · Shop",
    );
    await user.click(await button("Check recipients"));
    expect(await screen.findByText("Choose what the first row contains.")).toBeTruthy();
    expect(asked(host, "plan_batch")).toHaveLength(0);
    await user.click(first.getByRole("radio", { name: "Contains column names" }));
    await waitFor(() =>
      expect(asked(host, "set_csv_header").at(-1)?.request).toEqual({ file: "csv-1", hasHeader: true }),
    );
    expect(await screen.findByRole("columnheader", { name: /^Phone/ })).toBeTruthy();
  });

  it("checks what the file says now where it was saved since, without the warnings accepted before", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("reread_csv", ({ file }) => (file === CSV.id ? { ...CSV, id: "csv-saved", rows: 7 } : null));
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    expect(await screen.findByText("customers.csv was saved since it was read, and was read again.")).toBeTruthy();
    await waitFor(() => expect(asked(host, "plan_batch")).toHaveLength(1));
    expect(planned(host).source).toMatchObject({ kind: "csv", file: "csv-saved" });
    expect(planned(host).overrides).toEqual([]);
    expect(screen.getByText("customers.csv").parentElement?.textContent).toContain("7 rows");
    expect(await button("Check again")).toBeTruthy();
    expect(asked(host, "reread_csv").map(({ request }) => request)).toEqual([{ file: CSV.id }, { file: "csv-saved" }]);
  });

  it("says why a file that was saved since cannot be read, and checks nothing", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("reread_csv", () => refusal({ code: "file", name: "customers.csv", reason: "it contains no rows" }));
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    expect(await screen.findByText(/customers\.csv/, { selector: "[role=alert] *" })).toBeTruthy();
    expect(asked(host, "plan_batch")).toHaveLength(0);
  });

  it("asks once for the country of numbers without country code", async () => {
    const host = createFakeHost({ templates: 40 });
    const other = { digits: "33987654321", formatted: "+33 9 87 65 43 21", country: "FR" };
    const read = { digits: "5533987654321", formatted: "+55 33 98765-4321", country: "BR" };
    host.answer("plan_batch", ({ country }) => ({
      ...NO_FINDING,
      ...{ id: "a", total: 2, good: country ? 2 : 0, bad: country ? 0 : 2, estimateMs: 6000 },
      numbers: {
        country: country ?? "",
        unknown: country ? 0 : 2,
        assumed: country ? 2 : 0,
        ambiguous: country ? 1 : 0,
        examples: [{ row: 2, written: "(33) 98765-4321", read: country ? read : null, other }],
        foreign: 0,
        foreignExamples: [],
      },
    }));
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    const note = within(await screen.findByRole("alert", { name: "2 numbers have no country code" }));
    expect(note.getByRole("row", { name: "2 (33) 98765-4321 – +33 9 87 65 43 21, France" })).toBeTruthy();
    await user.click(note.getByRole("combobox", { name: "Country of the numbers" }));
    await user.click(await screen.findByRole("option", { name: "Brazil (+55)" }));
    await waitFor(() => expect(planned(host).country).toBe("BR"));
    expect(
      await screen.findByRole("row", {
        name: "2 (33) 98765-4321 +55 33 98765-4321, Brazil +33 9 87 65 43 21, France",
      }),
    ).toBeTruthy();
    await user.click(await button("Send to 2…"));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("2 numbers without country code are read as numbers of Brazil")).toBeTruthy();
  });

  it("lists numbers that were read with their first digits as country code", async () => {
    const host = createFakeHost({ templates: 40 });
    const read = { digits: "79123456789", formatted: "+7 912 345-67-89", country: "RU" };
    const foreignExamples = [{ row: 2, written: "7. 9123456789", read, other: null }];
    host.answer("plan_batch", () => ({
      ...NO_FINDING,
      ...{ id: "a", total: 1, good: 1, bad: 0 },
      numbers: { ...NUMBERS, foreign: 1, foreignExamples },
    }));
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    const title = "1 number without + is read with its first digits as country code";
    const note = within(await screen.findByRole("alert", { name: title }));
    expect(note.getByRole("row", { name: "2 7. 9123456789 +7 912 345-67-89, Russia" })).toBeTruthy();
    expect(note.queryByText(/are read as numbers of/)).toBeNull();
    expect(note.queryByLabelText("Clear the country")).toBeNull();
  });

  it("says nothing about numbers that can be read in one way only", async () => {
    const host = createFakeHost({ templates: 40 });
    const plan = { ...NO_FINDING, total: 1, good: 1, bad: 0 };
    host.answer("plan_batch", () => ({ ...plan, id: "a", numbers: { ...NUMBERS, country: "DE" } }));
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    await screen.findByRole("heading", { name: "Result of the check" });
    expect(screen.queryByRole("alert", { name: /number/ })).toBeNull();
  });

  it("forgets the country and the columns of another file", async () => {
    const host = createFakeHost({ templates: 40 });
    const first = { ...CSV, hasHeader: false, columns: ["Column 1", "Column 2", "Column 3", "Column 4", "Column 5"] };
    host.answer("choose_csv", () => first);
    host.answer("guess_columns", ({ file }) => ({ to: file === "csv-2" ? "Column 4" : "Column 2", parts: {} }));
    const { user } = renderApp(NEW, host);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    const column = () => screen.getByRole<HTMLInputElement>("combobox", { name: /Column with the number/ });
    await screen.findByText("customers.csv");
    expect(column().value).toBe("Column 2");
    const country = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Country of the numbers" });
    await user.click(country());
    await user.click(await screen.findByRole("option", { name: "Brazil (+55)" }));
    // Corrected and chosen again, it is still the same file.
    await user.click(await button("Choose another file…"));
    expect(country().value).toBe("Brazil (+55)");
    host.answer("choose_csv", () => ({ ...first, id: "csv-2", name: "others.csv" }));
    await user.click(await button("Choose another file…"));
    await screen.findByText("others.csv");
    expect(country().value).toBe("");
    expect(column().value).toBe("Column 4");
  });

  it("asks beside the file for one that is not there any more, and forgets that once it is chosen", async () => {
    const host = createFakeHost({ templates: 40 });
    const gone = () => refusal({ code: "notFound", what: "The file (choose it again)", missing: "chosenFile" });
    // A preview of the first file may be asked for while the next one is being chosen.
    host.answer("preview_batch", ({ batch: { source } }) =>
      source.kind === "csv" && source.file === "csv-2" ? refusal({ code: "timedOut", seconds: 1 }) : gone(),
    );
    const { user } = renderApp(NEW, host);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    const sentence = /^Choose customers\.csv again: your file is read only while/;
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(screen.queryByText("Not found")).toBeNull();
    host.answer("choose_csv", () => ({ ...CSV, id: "csv-2", name: "others.csv" }));
    await user.click(await button("Choose the file again…"));
    expect(await screen.findByText("others.csv")).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/again: your file is read only while/)).toBeNull());
  });

  it("keeps country and columns when the first row is taken as a recipient", async () => {
    const { user } = renderApp(NEW);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    await screen.findByText("customers.csv");
    await user.click(screen.getByRole("combobox", { name: /Column with the number/ }));
    await user.click(await screen.findByRole("option", { name: "Shop" }));
    await user.click(screen.getByRole("combobox", { name: "Country of the numbers" }));
    await user.click(await screen.findByRole("option", { name: "France (+33)" }));
    await user.click(screen.getByRole("radio", { name: "Is a recipient" }));
    const value = (name: RegExp | string) => screen.getByRole<HTMLInputElement>("combobox", { name }).value;
    await waitFor(() => expect(value(/Column with the number/)).toBe("Column 5"));
    expect(value(/Column with the name/)).toBe("Column 1");
    expect(value(/^Variable \{\{1\}\}/)).toBe("Column 3");
    expect(value("Country of the numbers")).toBe("France (+33)");
  });

  it("guesses the columns, shows the first rows, and asks for what no column has", async () => {
    const { host, user } = renderApp(NEW);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    const sample = await screen.findByRole("region", { name: "First rows of the file" });
    expect(within(sample).getByRole("columnheader", { name: /Phone\s*Recipient/ })).toBeTruthy();
    expect(within(sample).getByRole("columnheader", { name: /Shop\s*not used/ })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Column with the number/ }).value).toBe("Phone");
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /^Variable \{\{1\}\}/ }).value).toBe("1");
    // The template's own picture is the same for everyone.
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /^Picture link/ }).value).toBe("Same for everyone");
    expect(screen.getByDisplayValue("https://shop.example/summer.jpg")).toBeTruthy();
    await user.click(await button("Check recipients"));
    const link = screen.getByRole("combobox", { name: /^Link ending: Shop the sale/ });
    await waitFor(() => expect(link.getAttribute("aria-invalid")).toBe("true"));
    await waitFor(() => expect(document.activeElement).toBe(link));
    expect(asked(host, "plan_batch")).toHaveLength(0);
  });

  it("shows the phone of the first row, and of the next, as the host fills them", async () => {
    const { user } = renderApp(NEW);
    await withFile(user);
    await waitFor(() => expect(phone().textContent).toMatch(/Maria.*40%/));
    expect(await screen.findByText("Row 2 · 1 of 3")).toBeTruthy();
    await user.click(await button("Next recipient"));
    expect(await screen.findByText("Row 3 · 2 of 3")).toBeTruthy();
    await waitFor(() => expect(phone().textContent).toMatch(/Jonas.*30%/));
  });

  it("names every problem by line and column, and skips bad rows only on request", async () => {
    const { host, user } = renderApp(NEW);
    await withFile(user);
    await user.click(await button("Check recipients"));
    // The report is below everything that was filled in.
    const heading = await screen.findByRole("heading", { name: "Result of the check" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    const problems = within(await screen.findByRole("table", { name: "Rows that can't be sent" }));
    expect(problems.getByRole("row", { name: /^14 12 Recipient, column “Phone”/ })).toBeTruthy();
    expect(
      problems.getByRole("row", { name: /^77 .*Variable \{\{1\}\}, column “1”.*Column “1” is empty/ }),
    ).toBeTruthy();
    expect(await screen.findByText("197 ready to send; 3 rows are skipped.")).toBeTruthy();
    const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`)).toEqual([]);
    expect(planned(host).source).toEqual({
      kind: "csv",
      file: "csv-1",
      to: "Phone",
      name: "First name",
      values: {
        "header.link": { kind: "fixed", value: "https://shop.example/summer.jpg" },
        "body.1": { kind: "column", column: "1" },
        "body.2": { kind: "column", column: "2" },
        "button.0.url": { kind: "column", column: "Shop" },
      },
    });

    await user.click(await button("Skip 3 rows with problems and send 197…"));
    const dialog = within(await screen.findByRole("dialog", { name: "Send to 197 recipients?" }));
    expect(dialog.getByText("Main number (108001)")).toBeTruthy();
    expect(dialog.getByText("3 rows with problems")).toBeTruthy();
    expect(asked(host, "start_batch")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Send 197 messages now" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/batches\/batch-/));
    expect(asked(host, "start_batch").at(-1)?.request).toMatchObject({ skipBad: true });
    expect(await screen.findByRole("heading", { name: "Batch of summer_sale_2026" })).toBeTruthy();
    expect(await button("Skipped 3")).toBeTruthy();
  });

  it("cannot be started from a check of before the last change", async () => {
    const { user } = renderApp(NEW);
    await withFile(user);
    await user.click(await button("Check recipients"));
    await button("Skip 3 rows with problems and send 197…");
    await user.click(screen.getByRole("combobox", { name: /^Variable \{\{2\}\}/ }));
    await user.click(await screen.findByRole("option", { name: "First name" }));
    expect(await screen.findByText("You changed something after the check. Check again.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Skip \d/ })).toBeNull();
    await user.click(await button("Check again"));
    expect(await button("Skip 3 rows with problems and send 197…")).toBeTruthy();
  });

  it("drops the result and the marks when the recipients come from elsewhere", async () => {
    const { user } = renderApp(NEW);
    await withFile(user);
    await user.click(await button("Check recipients"));
    await button("Skip 3 rows with problems and send 197…");
    await user.click(screen.getByRole("radio", { name: "Address book" }));
    expect(await button("Check recipients")).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Result of the check" })).toBeNull();
    expect(screen.queryByRole("button", { name: /^Skip \d/ })).toBeNull();
    expect(screen.queryByText("Required")).toBeNull();
  });

  it("keeps what was mapped when the corrected file is chosen again", async () => {
    const { host, user } = renderApp(NEW);
    await withFile(user);
    await user.click(await button("Check recipients"));
    await button("Skip 3 rows with problems and send 197…");
    const corrected = { ...((await host.call("choose_csv", { workspace: "sandbox" })) as object), id: "csv-2" };
    host.answer("choose_csv", () => corrected as never);
    await user.click(await button("Choose another file…"));
    await screen.findByText("You changed something after the check. Check again.");
    await user.click(await button("Check again"));
    await waitFor(() => expect(planned(host).source).toMatchObject({ file: "csv-2" }));
    expect(planned(host).source).toMatchObject({
      values: { "header.link": { kind: "fixed" }, "button.0.url": { kind: "column", column: "Shop" } },
    });
  });

  it("says at its field what the host refuses", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("plan_batch", () =>
      refusal({ code: "invalidInput", field: "source.values.body.1", message: "The file has no column “1”." }),
    );
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    const variable = screen.getByRole("combobox", { name: /^Variable \{\{1\}\}/ });
    await waitFor(() => expect(variable.getAttribute("aria-invalid")).toBe("true"));
    await waitFor(() => expect(document.activeElement).toBe(variable));
    expect(screen.queryByRole("button", { name: /^(Send to|Skip) \d/ })).toBeNull();
  });

  it("says why a file cannot be read", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("choose_csv", () =>
      refusal({ code: "file", name: "customers.csv", reason: "line 12 has 4 columns instead of 5" }),
    );
    const { user } = renderApp(NEW, host);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    expect(await screen.findByText(/line 12 has 4 columns instead of 5/)).toBeTruthy();
  });

  it("sends despite a warning only when it was accepted", async () => {
    const host = createFakeHost({ templates: 40 });
    const plan = { ...NO_FINDING, total: 2, duplicates: 1, estimateMs: 6000 };
    host.answer("plan_batch", ({ overrides }) => {
      const accepted = overrides.includes("template.stale");
      return {
        ...plan,
        id: accepted ? "b" : "a",
        good: accepted ? 2 : 0,
        bad: accepted ? 0 : 2,
        problems: [
          {
            row: 0,
            recipient: "",
            problem: {
              field: "template",
              code: "template.stale",
              severity: "warning",
              values: { minutes: "2880" },
              message: "The template was not refreshed for two days.",
            },
          },
        ],
      };
    });
    const { user } = renderApp(NEW, host);
    await withFile(user);
    await user.click(await button("Check recipients"));
    const accept = await screen.findByRole("checkbox", { name: /despite this warning/ });
    expect(screen.queryByRole("button", { name: /^(Send to|Skip) \d/ })).toBeNull();
    expect(screen.getByText("1 row repeats a recipient from an earlier row.")).toBeTruthy();
    await user.click(accept);
    expect(await button("Send to 2…")).toBeTruthy();
    // What was being decided is not left for the report.
    expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: /despite this warning/ }));
    expect(planned(host).overrides).toEqual(["template.stale"]);
  });
});

describe("a batch that was left", () => {
  it("can be continued where it was, or dropped", async () => {
    const { user, unmount } = renderApp(NEW);
    await user.click(await screen.findByRole("checkbox", { name: "Select Maria Souza" }));
    unmount();
    const again = renderApp("/sends/batches/new");
    const left = within(await screen.findByRole("region", { name: "Unfinished batch" }));
    expect(left.getByText(/summer_sale_2026/)).toBeTruthy();
    await again.user.click(left.getByRole("link", { name: "Continue" }));
    expect(await screen.findByText("1 selected")).toBeTruthy();
    again.unmount();
    const last = renderApp("/sends/batches/new");
    await last.user.click(await button("Start over"));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Unfinished batch" })).toBeNull());
  });
});

it("starts with a number that has the template, whatever was chosen for another one", async () => {
  const host = createFakeHost({ templates: 40 });
  const form = await host.call("get_send_form", { workspace: "sandbox", reference: NEW.split("=")[1] ?? "" });
  const problem = { field: "number", code: "number.account", severity: "warning", values: {}, message: "" } as const;
  const shoes = { id: "108009", label: "Shoes", problem: null };
  host.answer("get_send_form", () => ({ ...form, numbers: [...form.numbers, shoes] }));
  const { user, unmount } = renderApp(NEW, host);
  await user.click(await screen.findByRole("combobox", { name: /Sending number/ }));
  await user.click(await screen.findByRole("option", { name: /Shoes/ }));
  unmount();
  host.answer("get_send_form", () => ({ ...form, numbers: [{ ...shoes, problem }, ...form.numbers] }));
  renderApp(NEW, host);
  const number = await screen.findByRole<HTMLInputElement>("combobox", { name: /Sending number/ });
  expect(number.value).toBe("Main number (108001)");
});

describe("a batch of a carousel", () => {
  const CAROUSEL = NEW.replace(/0$/, "4");

  it("fills its cards one by one, and opens the one where something is missing", async () => {
    const host = createFakeHost({ templates: 40 });
    const form = await host.call("get_send_form", { workspace: "sandbox", reference: CAROUSEL.split("=")[1] ?? "" });
    host.answer("get_send_form", () => ({ ...form, blocked: null }));
    const { user } = renderApp(CAROUSEL, host);
    await user.click(await screen.findByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(await button("Fill with samples"));
    await user.click(await button(/^Card 3/));
    const link = await screen.findByDisplayValue("https://shop.example/2.jpg");
    await user.clear(link);
    await user.click(await button(/^Card 3/));
    await user.click(await button("Check recipients"));
    await waitFor(() =>
      expect((document.activeElement as HTMLElement | null)?.dataset.field).toBe("card.2.header.link"),
    );
    expect(asked(host, "plan_batch")).toHaveLength(0);
  });

  it("maps the parts of each card by themselves", async () => {
    const { user } = renderApp(CAROUSEL);
    await user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await user.click(await button("Choose a CSV file…"));
    expect(await screen.findByRole("group", { name: "Card 2 · Header" })).toBeTruthy();
    expect(screen.getByRole("group", { name: "Card 3 · Buttons" })).toBeTruthy();
  });
});

describe("a batch to the address book", () => {
  it("sends to everyone with a label, with the samples and the name of each person", async () => {
    const { host, user } = renderApp(NEW);
    await user.click(await screen.findByRole("combobox", { name: "Label" }));
    await user.click(await screen.findByRole("option", { name: "team (3)" }));
    await user.click(await button("Select everyone labeled team (3)"));
    expect(document.activeElement?.textContent).toBe("3 selected");
    await user.click(await button("Fill with samples"));
    await user.click(await button("Check recipients"));
    await user.click(await button("Send to 3…"));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Send 3 messages now" }));
    await waitFor(() => expect(asked(host, "start_batch").at(-1)?.request).toMatchObject({ skipBad: false }));
    expect(planned(host).source).toMatchObject({
      kind: "recipients",
      ids: ["recipient-1", "recipient-2", "recipient-5"],
      values: { "body.1": { kind: "column", column: "firstName" }, "body.2": { kind: "fixed", value: "40%" } },
    });
  });

  it("greets each person by name, on the phone and in the examples of the check", async () => {
    const { host, user } = renderApp(NEW);
    await user.click(await screen.findByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Jonas Weber" }));
    await user.click(await button("Fill with samples"));
    expect(await screen.findByText("Maria Souza: Maria")).toBeTruthy();
    await waitFor(() => expect(phone().textContent).toMatch(/Maria.*40%/));
    await user.click(await button("Next recipient"));
    expect(await screen.findByText("Jonas Weber · 2 of 2")).toBeTruthy();
    await waitFor(() => expect(phone().textContent).toMatch(/Jonas.*40%/));
    await user.click(await button("Check recipients"));
    expect(await screen.findByText("Ready to send to 2 people.")).toBeTruthy();
    expect(planned(host).source).toMatchObject({ values: { "body.1": { kind: "column", column: "firstName" } } });
    expect(within(screen.getByRole("figure", { name: "Maria Souza" })).getByText(/40%.*Maria/)).toBeTruthy();
    expect(within(screen.getByRole("figure", { name: "Jonas Weber" })).getByText(/40%.*Jonas/)).toBeTruthy();
  });

  it("asks for recipients before it is checked", async () => {
    const { host, user } = renderApp(NEW);
    await user.click(await button("Fill with samples"));
    await user.click(await button("Check recipients"));
    expect(await screen.findByText("Choose at least one recipient.")).toBeTruthy();
    expect(asked(host, "plan_batch")).toHaveLength(0);
  });

  it("stays to be read when the start is refused", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("start_batch", () => refusal({ code: "conflict", message: "Another batch sends from this number." }));
    const { user } = renderApp(NEW, host);
    await user.click(await screen.findByRole("checkbox", { name: "Select Maria Souza" }));
    await user.click(await button("Fill with samples"));
    await user.click(await button("Check recipients"));
    await user.click(await button("Send to 1…"));
    await user.click(await button("Send 1 message now"));
    expect(await screen.findByText("Another batch sends from this number.")).toBeTruthy();
    expect(screen.getByRole("dialog")).toBeTruthy();
  });
});
