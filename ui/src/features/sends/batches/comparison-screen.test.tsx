import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Batch } from "@/bindings/app";

/** A host with a second batch. */
async function hostWithTwo() {
  const host = createFakeHost({ templates: 40 });
  const batches: Batch[] = await host.call("list_batches", { workspace: "sandbox" });
  const [old] = batches.filter(({ id }) => id === "batch-old");
  if (!old) throw new Error("a batch");
  const other = { ...old, id: "batch-new", templateName: "winter_sale" };
  const comparison = await host.call("compare_batches", { workspace: "sandbox", first: old.id, second: old.id });
  const second = { ...comparison.second, batch: other };
  host.answer("list_batches", () => [...batches, other]);
  host.answer("compare_batches", () => ({ ...comparison, second }));
  return { host, comparison: { ...comparison, second } };
}

const ADDRESS = "/sends/batches/compare?first=batch-old&second=batch-new";

describe("the comparison of two batches", () => {
  it("is reached from a batch, and asks for the other one", async () => {
    const { host } = await hostWithTwo();
    const { user } = renderApp("/sends/batches/batch-old", host);
    await user.click(await screen.findByRole("link", { name: "Compare…" }));
    expect(await screen.findByText("Choose two batches")).toBeDefined();
    await user.click(screen.getByRole("combobox", { name: "Second batch" }));
    await user.click(await screen.findByRole("option", { name: /winter_sale/ }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "compare_batches")?.request).toEqual({
        workspace: "sandbox",
        first: "batch-old",
        second: "batch-new",
      }),
    );
    await waitFor(() => expect(window.location.hash).toContain("second=batch-new"));
  });

  it("shows counts, percentages, intervals and verdicts, and what is not known", async () => {
    const { host } = await hostWithTwo();
    renderApp(ADDRESS, host);
    const table = within(await screen.findByRole("region", { name: "Results side by side" }));
    const read = table.getByRole("row", { name: /^Read/ }).textContent;
    expect(read).toContain("300 · 60%95%: 55.6% to 64.2%");
    expect(read).toContain("+10 points95%: +3.8 to +16 points");
    expect(read).toContain("Higher in the first batch");
    expect(table.getByRole("row", { name: /^Replied/ }).textContent).toContain(
      "Too few to tell: about 2,055 more messages would be needed in the smaller batch",
    );
    const clicked = table.getByRole("row", { name: /^Clicked/ }).textContent;
    expect(clicked).toBe("Clickednot knownnot knownNot known");
    expect(screen.getByText(/^Read receipts may be off/)).toBeDefined();
    expect(document.body.textContent).not.toMatch(/winner/i);
  });

  it("has no results before anything was sent", async () => {
    const { host, comparison } = await hostWithTwo();
    const unsent = { ...comparison.first, batch: { ...comparison.first.batch, state: "planned" as const }, sent: 0 };
    const second = { ...unsent, batch: { ...unsent.batch, id: "batch-new" } };
    host.answer("compare_batches", () => ({ ...comparison, first: unsent, second, share: 50 }));
    renderApp(ADDRESS, host);
    expect(await screen.findByText(/^There are no results yet/)).toBeDefined();
    expect(screen.getByRole("status", { name: "Nothing has been sent yet." })).toBeDefined();
    expect(screen.queryByRole("region", { name: "Results side by side" })).toBeNull();
  });

  it("says what it does not prove", async () => {
    const { host } = await hostWithTwo();
    renderApp(ADDRESS, host);
    const note = await screen.findByRole("note", { name: "What this does not prove" });
    expect(
      within(note)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^The people were not divided by chance/),
      "12 people are in both.",
      expect.stringMatching(/^They were sent more than an hour apart/),
    ]);
  });

  it("says how a list was divided, and leads from one half to both", async () => {
    const { host, comparison } = await hostWithTwo();
    host.answer("compare_batches", () => ({ ...comparison, limits: [], share: 30 }));
    host.answer("get_comparison_pair", () => ({ first: "batch-old", second: "batch-new" }));
    const { user } = renderApp("/sends/batches/batch-old", host);
    await user.click(await screen.findByRole("link", { name: "Compare with the other half" }));
    expect(await screen.findByText("One list was divided by chance: 30% for the first batch.")).toBeDefined();
    expect(screen.queryByRole("note", { name: "What this does not prove" })).toBeNull();
  });
});
