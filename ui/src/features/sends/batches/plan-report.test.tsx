import { NO_FINDING } from "@test/fake-batches";
import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { BatchPlanRequest, ValueSource } from "@/bindings/app";
import { forgetDraft } from "./draft";

const NEW = "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000";

beforeEach(() => forgetDraft("sandbox"));

const button = (name: string) => screen.findByRole("button", { name });

function sources(host: FakeHost): Partial<Record<string, ValueSource>> {
  const request = host.calls.filter(({ name }) => name === "plan_batch").at(-1)?.request as
    | BatchPlanRequest
    | undefined;
  return request?.source.values ?? {};
}

/** A host that misses the value of `part` in row 3, until it gets a text for it. */
function missing(part: string): FakeHost {
  const host = createFakeHost({ templates: 40 });
  host.answer("plan_batch", ({ source }) => {
    const from = source.values?.[part];
    const fallback = from?.kind === "column" ? from.fallback : undefined;
    const column = from?.kind === "column" ? from.column : "";
    const problem = { field: part, code: "value.missing", severity: "error", values: { column }, message: "" } as const;
    return {
      ...NO_FINDING,
      id: "a",
      total: 2,
      good: fallback ? 2 : 1,
      bad: fallback ? 0 : 1,
      problems: fallback ? [] : [{ row: 3, recipient: "5511", problem }],
      counts: fallback ? [] : [{ code: "value.missing", rows: 1, people: 1 }],
      ...(fallback && { fallbacks: [{ part, column, fallback, rows: 1 }] }),
    };
  });
  return host;
}

async function choose(user: UserEvent, field: RegExp, option: string) {
  const [first] = await screen.findAllByRole("combobox", { name: field });
  if (!first) throw new Error("the field is missing");
  await user.click(first);
  await user.click(await screen.findByRole("option", { name: option }));
}

async function withFile(user: UserEvent) {
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await button("Choose a CSV file…"));
  await screen.findByText("customers.csv");
  await choose(user, /^Link ending: Shop the sale/, "Shop");
}

it("takes a text for empty cells where the check misses a value, and checks again", async () => {
  const host = missing("button.0.url");
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  const field = await screen.findByRole("textbox", { name: /^Text for empty cells: .*“Shop”$/ });
  expect(await button("Use and check again")).toHaveProperty("disabled", true);
  await user.type(field, "all{Enter}");
  expect(await screen.findByText(/^In 1 row “all” replaces an empty value: .*“Shop”\.$/)).toBeTruthy();
  expect(sources(host)["button.0.url"]).toEqual({ kind: "column", column: "Shop", fallback: "all" });
  expect(screen.queryByRole("textbox", { name: /^Text for empty cells/ })).toBeNull();
  // The field of the mapping has it, and another column keeps it.
  const mapped = screen.getAllByRole("textbox", { name: /^Text if it is empty: / });
  expect(mapped.map((one) => (one as HTMLInputElement).value)).toContain("all");
});

it("sends the options of a column with the check, and keeps them with another column", async () => {
  const host = missing("none");
  const { user } = renderApp(NEW, host);
  await withFile(user);
  const group = screen.getByRole("combobox", { name: /^Link ending: Shop the sale/ }).closest("fieldset");
  if (!group) throw new Error("the field has no section");
  await user.type(within(group).getByRole("textbox", { name: /^Text if it is empty: / }), "all");
  await choose(user, /^Format/, "Names in title case");
  await choose(user, /^Link ending: Shop the sale/, "First name");
  await user.click(await button("Check recipients"));
  await waitFor(() =>
    expect(sources(host)["button.0.url"]).toEqual({ kind: "column", column: "First name", fallback: "all" }),
  );
  const texts = Object.values(sources(host)).filter((from) => from?.kind === "column" && from.transform);
  expect(texts).toHaveLength(1);
});

it("asks how dates are written where the column does not show it, and shows what the first becomes", async () => {
  const host = missing("none");
  const written = { row: 2, written: "09/06/2026", unread: 3 };
  const values = { written: "09/06/2026", first: "2026-06-09", second: "2026-09-06" };
  const message = "“09/06/2026” can be 2026-06-09 or 2026-09-06.";
  const problem = { field: "body.1", code: "value.dateOrder", severity: "error", values, message } as const;
  const plain = createFakeHost({ templates: 40 });
  host.answer("preview_batch", async (request) => {
    const formatted = Object.entries(request.batch.source.values ?? {}).find(
      ([, from]) => from?.kind === "column" && from.transform,
    );
    const of = { ...written, part: formatted?.[0] ?? "" };
    const isChosen = JSON.stringify(formatted).includes("dayFirst");
    const columns = [isChosen ? { ...of, value: "June 9, 2026", unread: 0 } : { ...of, problem }];
    return { ...(await plain.call("preview_batch", request)), columns };
  });
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await choose(user, /^Format/, "Date");
  expect(await screen.findByText(/can be 2026-06-09 or 2026-09-06/)).toBeTruthy();
  const order = screen.getByRole("combobox", { name: /^Order of the dates: Variable \{\{1\}\}/ });
  expect(order.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("3 rows can't be read and would be left out.")).toBeTruthy();
  await choose(user, /^Order of the dates/, "Day first (28/11/2026)");
  expect(await screen.findByText("“09/06/2026” becomes “June 9, 2026”")).toBeTruthy();
});

it("says of each example of the check which row it is", async () => {
  const { user } = renderApp(NEW, createFakeHost({ templates: 40 }));
  await withFile(user);
  await user.click(await button("Check recipients"));
  const heading = await screen.findByRole("heading", { name: "What 3 people receive" });
  const examples = within(heading.nextElementSibling as HTMLElement).getAllByRole("listitem");
  const labels = ["First row", "Longest (row 3)", "Row 4"];
  labels.forEach((label, place) => {
    expect(within(examples[place] as HTMLElement).getByText(label)).toBeTruthy();
  });
});

it("says what the messages will cost, or where prices come from", async () => {
  const host = createFakeHost({ templates: 40 });
  const plan = { ...NO_FINDING, id: "a", total: 3, good: 3, bad: 0 };
  const { user } = renderApp(NEW, host);
  await withFile(user);
  host.answer("plan_batch", () => ({ ...plan, isFileTooLarge: true }));
  await user.click(await button("Check recipients"));
  expect(await screen.findByText(/^The file is larger than 8 MB/)).toBeTruthy();
  expect(await screen.findByText(/^To see what messages cost, import a rate card in/)).toBeTruthy();
  const line = { market: "BR", category: "marketing", messages: 2, price: "0.0625", amount: "0.125" };
  const cost = { currency: "USD", isSample: true, total: "0.125", priced: 2, free: 0, unknown: 1, lines: [line] };
  host.answer("plan_batch", () => ({ ...plan, cost }));
  await user.click(await button("Check again"));
  const costs = within(await screen.findByRole("region", { name: "Cost" }));
  expect(costs.getByText("At least $0.13").parentElement?.textContent).toBe(
    "At least $0.13 if all 3 messages are delivered today",
  );
  expect(costs.getByText("These are the invented prices of the sample rate card.")).toBeTruthy();
  expect(costs.getByText("The price of 1 message is unknown; it is not included.")).toBeTruthy();
  await user.click(await button("Send to 3…"));
  const dialog = within(await screen.findByRole("dialog", { name: "Send to 3 recipients?" }));
  expect(dialog.getByText("At least $0.13; 1 without a price")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  const none = { ...cost, total: "0", priced: 0, unknown: 3, lines: [] };
  host.answer("plan_batch", () => ({ ...plan, cost: none }));
  await user.click(await button("Check again"));
  expect(await within(await screen.findByRole("region", { name: "Cost" })).findByText("Unknown")).toBeTruthy();
});

it("says who got the template a short time ago, leaves them out, and repeats it before it sends to them again", async () => {
  const host = createFakeHost({ templates: 40 });
  const repeated = [{ batch: "batch-old", source: "pilot.csv", at: Date.UTC(2026, 10, 27, 12), people: 2 }];
  host.answer("plan_batch", ({ overrides }) => {
    const good = overrides?.includes("to.repeated") ? 3 : 1;
    return {
      ...NO_FINDING,
      ...{ id: "a", total: 3, good, bad: 3 - good },
      leftOut: 3 - good,
      repeated,
    };
  });
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  const said = /^On Nov 27, 2026, .* \(batch pilot\.csv\) we sent this template to 2 of these people, or tried to\./;
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText("Can't be sent").parentElement?.textContent).toBe("Can't be sent0");
  expect(screen.getByText("Left out").parentElement?.textContent).toBe("Left out2");
  expect(await button("Skip 2 rows with problems and send 1…")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: "Send it again to 2 people" }));
  await user.click(await button("Send to 3…"));
  const dialog = within(await screen.findByRole("dialog", { name: "Send to 3 recipients?" }));
  expect(dialog.getByText(said)).toBeTruthy();
});

it("says who was held back and until when, leaves them out, and repeats it before it sends to them anyway", async () => {
  const host = createFakeHost({ templates: 40 });
  const heldBack = { people: 2, from: Date.UTC(2026, 10, 29, 12), allFrom: Date.UTC(2026, 10, 30, 12) };
  host.answer("plan_batch", ({ overrides }) => {
    const good = overrides?.includes("to.cappedUntil") ? 3 : 1;
    return {
      ...NO_FINDING,
      ...{ id: "a", total: 3, good, bad: 3 - good },
      leftOut: 3 - good,
      heldBack,
    };
  });
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  const said = /^WhatsApp held back .* 2 of these people\. .* from Nov 29, 2026, .* The last of them can from Nov 30, /;
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText("Left out").parentElement?.textContent).toBe("Left out2");
  await user.click(screen.getByRole("checkbox", { name: "Send to these 2 people anyway" }));
  await user.click(await button("Send to 3…"));
  const dialog = within(await screen.findByRole("dialog", { name: "Send to 3 recipients?" }));
  expect(dialog.getByText(said)).toBeTruthy();
});

it("says that every recipient gets a sample of the review", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("plan_batch", () => ({
    ...NO_FINDING,
    ...{ id: "a", total: 3, good: 3, bad: 0 },
    samples: [{ part: "body.1", sample: "Ana" }],
  }));
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  expect(await screen.findByText(/Every recipient gets the review sample “Ana”/)).toBeTruthy();
});

it("counts all rows with a problem, although a few of each are listed, and people where it says people", async () => {
  const host = createFakeHost({ templates: 40 });
  const problem = (code: "to.recentMarketing" | "to.invalid" | "to.kind", severity: "error" | "warning") => ({
    row: 5,
    recipient: "5511",
    problem: { field: "to", code, severity, values: { since: "2026-11-28", reason: "", kind: "mobile" }, message: "" },
  });
  host.answer("plan_batch", () => ({
    ...NO_FINDING,
    ...{ id: "a", total: 300, good: 0, bad: 300, leftOut: 291 },
    problems: [problem("to.recentMarketing", "warning"), problem("to.invalid", "error"), problem("to.kind", "warning")],
    counts: [
      { code: "to.invalid", rows: 9, people: 9 },
      { code: "to.recentMarketing", rows: 289, people: 279 },
      { code: "to.kind", rows: 2, people: 2 },
    ],
  }));
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  expect(await screen.findByRole("switch", { name: /^Leave out 279 people we sent a marketing message/ })).toBeTruthy();
  expect(screen.getByRole("checkbox", { name: "Send 2 rows despite this warning" })).toBeTruthy();
  expect(screen.getByText("Showing the first 1 of 9 problems.")).toBeTruthy();
});

it.each([
  [5, false],
  [6, true],
])("lists %i people who may want to stop marketing, folded only where they are many", async (count, isFolded) => {
  const host = createFakeHost({ templates: 40 });
  const wishesToStop = Array.from({ length: count }, (_, index) => ({
    ...{ contact: `551190000000${index}`, formatted: `+55 11 90000-000${index}` },
    ...{ name: `Person ${index + 1}`, text: "Please stop" },
  }));
  host.answer("plan_batch", () => ({ ...NO_FINDING, id: "a", total: 9, good: 9, bad: 0, wishesToStop }));
  const { user } = renderApp(NEW, host);
  await withFile(user);
  await user.click(await button("Check recipients"));
  expect(await screen.findByText(new RegExp(`^${count} people last wrote what may be a wish`))).toBeTruthy();
  const unfold = screen.getByText("Person 1").closest("details");
  expect(unfold !== null).toBe(isFolded);
  if (unfold) expect(within(unfold).getByText("People and what they wrote").tagName).toBe("SUMMARY");
});
