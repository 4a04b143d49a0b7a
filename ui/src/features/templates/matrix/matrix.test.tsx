import { createFakeHost } from "@test/fake-host";
import { layOut } from "@test/lay-out";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { DraftRow } from "@/bindings/app";

const matrix = () => screen.findByRole("grid", { name: "Languages" });

it("opens from the list with its filters, and shows the status of each language", async () => {
  const { host, user } = renderApp("/templates?category=MARKETING");
  await user.click(await screen.findByRole("radio", { name: "Languages" }));
  const grid = await matrix();
  expect(within(grid).getByRole("link", { name: "summer_sale_2026 en_US: Approved" })).toBeDefined();
  expect(within(grid).getByRole("link", { name: "summer_sale_2026 pt_BR: Pending" })).toBeDefined();
  expect(within(grid).getByRole("columnheader", { name: /^Portuguese \(Brazil\)/ })).toBeDefined();
  expect(host.calls.findLast(({ name }) => name === "get_language_matrix")?.request).toMatchObject({
    query: { categories: ["MARKETING"], offset: 0 },
  });
});

it("says what differs from the other languages", async () => {
  const { user } = renderApp("/templates?view=languages");
  await user.click(await screen.findByRole("button", { name: "summer_sale_2026 pt_BR differs in 2 places" }));
  const dialog = await screen.findByRole("dialog", { name: "summer_sale_2026 pt_BR differs in 2 places" });
  expect(dialog.textContent).toContain("2 variables: {{1}} {{2}}");
  expect(dialog.textContent).toContain("1 variable: {{1}}");
  expect(within(dialog).getAllByText("none")).toHaveLength(1);
});

it("adds a language that a name lacks", async () => {
  const { host, user } = renderApp("/templates?view=languages");
  await user.click(await screen.findByRole("button", { name: "Add de to summer_sale_2026" }));
  // The column says which language.
  await waitFor(() =>
    expect(host.calls.find(({ name }) => name === "create_draft")?.request).toMatchObject({
      fromTemplate: "5f3b8f0e-0000-4000-8000-000000000000",
      language: "de",
      edit: false,
    }),
  );
});

it("shows the draft of a language, and opens it", async () => {
  const host = createFakeHost();
  const [draft] = await host.call("list_drafts", { workspace: "sandbox" });
  const row = { ...draft, id: "draft-1", name: "summer_sale_2026", language: "de", edits: null };
  host.answer("list_drafts", () => [row as DraftRow]);
  renderApp("/templates?view=languages", host);
  const link = await screen.findByRole("link", { name: "Open the draft of summer_sale_2026 in de" });
  expect(link.textContent).toBe("Draft");
  expect(link.getAttribute("href")).toContain("/drafts/draft-1");
  expect(screen.queryByRole("button", { name: "Add de to summer_sale_2026" })).toBeNull();
});

it("is walked through cell by cell, and opened by keyboard", async () => {
  const host = createFakeHost({ templates: 600 });
  const { user } = renderApp("/templates?view=languages", host);
  const grid = await matrix();
  layOut(grid);
  const current = () => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "");
  grid.focus();
  await user.keyboard("{ArrowDown}{ArrowRight}");
  expect(
    within(current() as HTMLElement)
      .getByRole("button")
      .getAttribute("aria-label"),
  ).toContain("order_shipped");
  await user.keyboard("{Control>}{End}{/Control}");
  await waitFor(() =>
    expect(host.calls.findLast(({ name }) => name === "get_language_matrix")?.request).toMatchObject({
      query: { offset: expect.toSatisfy((offset: number) => offset > 400) },
    }),
  );
  await user.keyboard("{Control>}{Home}{/Control}");
  await waitFor(() =>
    expect(current()?.querySelector("a")?.getAttribute("aria-label")).toBe("summer_sale_2026 en_US: Approved"),
  );
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "summer_sale_2026" })).toBeDefined();
});

it("is narrowed to names that lack a language or differ, which the address keeps", async () => {
  const { host, user } = renderApp("/templates?view=languages");
  await matrix();
  await user.click(screen.getByRole("switch", { name: "Only names with missing languages" }));
  await user.click(screen.getByRole("switch", { name: "Only names with differences between languages" }));
  await waitFor(() =>
    expect(host.calls.findLast(({ name }) => name === "get_language_matrix")?.request).toMatchObject({
      onlyIncomplete: true,
      onlyDifferent: true,
    }),
  );
  expect(window.location.hash).toContain("different=yes");
  await waitFor(async () => expect((await matrix()).getAttribute("aria-rowcount")).toBe("2"));
});
