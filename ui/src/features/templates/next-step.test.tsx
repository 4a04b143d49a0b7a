import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { templateQuery } from "@/lib/template-filter";

const SALE = "5f3b8f0e-0000-4000-8000-000000000000";
const REJECTED = "5f3b8f0e-0000-4000-8000-000000000003";

const primaries = () =>
  [
    ...document.querySelectorAll<HTMLElement>(
      'main .mantine-Button-root[data-variant="filled"], main .mantine-Button-root:not([data-variant])',
    ),
  ].map(({ textContent }) => textContent);

describe("the next step of a template", () => {
  it("is a test send once it is approved", async () => {
    renderApp(`/templates/${SALE}`);
    await screen.findByRole("link", { name: "Test send" });
    expect(primaries()).toEqual(["Test send"]);
  });

  it("is the fix after a rejection, said once", async () => {
    renderApp(`/templates/${REJECTED}`);
    await screen.findByRole("button", { name: "Fix and resubmit" });
    expect(primaries()).toEqual(["Fix and resubmit"]);
    expect(screen.getAllByRole("button", { name: "Duplicate as draft" })).toHaveLength(1);
  });

  it("is to wait while it is in review", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail = await host.call("get_template", { workspace: "sandbox", reference: SALE });
    host.answer("get_template", () => ({ ...detail, sendable: false, row: { ...detail.row, status: "PENDING" } }));
    renderApp(`/templates/${SALE}`, host);
    const note = await screen.findByText("Waiting for review");
    const notice = within(note.closest("[role=status]") as HTMLElement);
    expect(await notice.findByText(/reviews? /)).toBeDefined();
    expect(notice.getByRole("link", { name: "Open Review" })).toBeDefined();
    expect(primaries()).toEqual([]);
  });
});

it("the list names languages, and says when a template last changed if its age is unknown", async () => {
  const host = createFakeHost({ templates: 3 });
  const page = await host.call("list_templates", { ...templateQuery("sandbox", {}), offset: 0, limit: 3 });
  const [row] = page.rows;
  if (!row) throw new Error("a template");
  const at = Date.UTC(2026, 10, 18, 12);
  host.answer("list_templates", () => ({
    ...page,
    rows: [{ ...row, language: "pt_BR", stateSince: null, updatedAt: at }],
  }));
  renderApp("/templates", host);
  const grid = within(await screen.findByRole("grid", { name: "Templates" }));
  expect(await grid.findByText("Portuguese (Brazil)")).toBeDefined();
  expect(grid.getByText(/^last changed .*Nov 18/)).toBeDefined();
});
