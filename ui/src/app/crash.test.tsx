import { MantineProvider } from "@mantine/core";
import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Batch, BulkAction, CrashedRun, DraftRow } from "@/bindings/app";
import { showLanguage } from "@/lib/i18n/i18n";
import { connectHost } from "@/lib/ipc/client";
import { PageBoundary } from "./page-boundary";

const SALE = "5f3b8f0e-0000-4000-8000-000000000000";

const INTERRUPTED: BulkAction = {
  id: "b1",
  workspace: "sandbox",
  action: "archive",
  state: "interrupted",
  total: 3,
  counts: [{ value: "done", count: 1 }],
  names: ["a", "b", "c"],
  nameCount: 3,
  approved: 0,
  approvedBefore: 0,
  mayBeApproved: 0,
  archived: 0,
  recentSends: 0,
  undoable: false,
  retryable: 2,
  createdAt: 0,
};

afterEach(() => vi.restoreAllMocks());

/** React reports what a boundary catches. */
const quiet = () => vi.spyOn(console, "error").mockImplementation(() => undefined);

function Broken(): never {
  throw new TypeError("Hello Ana");
}

describe("a screen that fails", () => {
  it("offers its details without what people wrote, and a reload", async () => {
    quiet();
    const host = createFakeHost({ templates: 3 });
    host.answer("get_template", () => ({}) as never);
    const { user } = renderApp(`/templates/${SALE}`, host);
    expect(await screen.findByRole("heading", { name: "Something went wrong on this screen" })).toBeDefined();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeDefined();
    await user.click(await screen.findByRole("button", { name: "Copy details" }));
    expect(await navigator.clipboard.readText()).toContain("Template Desk 0.1.0");
    expect(screen.getByRole("button", { name: "Reload" })).toBeDefined();
    const report = host.calls.find(({ name }) => name === "report_page_failure")?.request;
    expect(report).toMatchObject({ name: "TypeError", screen: `#/templates/${SALE}` });
  });

  it("stores what was typed before", async () => {
    quiet();
    const { host, user } = renderApp("/drafts/draft-1");
    const body = await screen.findByRole("textbox", { name: "Body text" });
    host.answer("inspect_template", () => ({ findings: null }) as never);
    await user.click(body);
    await user.paste("Typed before.");
    await screen.findByRole("heading", { name: "Something went wrong on this screen" });
    await waitFor(() => {
      const saved = host.calls.filter(({ name }) => name === "save_draft").at(-1)?.request;
      expect(JSON.stringify(saved)).toContain("Typed before.");
    });
  });
});

it("a failure around the screens leaves a page with details and a reload", async () => {
  quiet();
  await showLanguage("en");
  connectHost(createFakeHost({ templates: 3 }));
  render(
    <MantineProvider>
      <PageBoundary>
        <Broken />
      </PageBoundary>
    </MantineProvider>,
  );
  const alert = within(await screen.findByRole("alert"));
  expect(await alert.findByRole("button", { name: "Copy details" })).toBeDefined();
  expect(alert.getByRole("button", { name: "Reload" })).toBeDefined();
  expect(alert.queryByText(/Ana/)).toBeNull();
});

describe("after the app did not close normally", () => {
  const renderAfterCrash = (path = "/templates", crashedRun: CrashedRun | null = null) => {
    const host = createFakeHost({ templates: 3 });
    const bootstrap = host.call("get_bootstrap", {});
    const lastStop = "unclean";
    host.answer("get_bootstrap", async () => ({ ...(await bootstrap), lastStop, crashedRun }));
    return renderApp(path, host);
  };
  const newestDraft = async () => {
    const drafts = await createFakeHost({ templates: 3 }).call("list_drafts", { workspace: "sandbox" });
    return [...drafts].sort((a, b) => b.updatedAt - a.updatedAt)[0] as DraftRow;
  };
  const OPEN = { name: "Open your last draft" };

  it("says so until it is dismissed, with the folder of the log", async () => {
    const { host, user } = renderAfterCrash();
    const title = "Template Desk did not close normally last time";
    await screen.findByText(title);
    await user.click(screen.getByRole("button", { name: "Open log folder" }));
    await waitFor(() => expect(host.calls.some(({ name }) => name === "open_log_folder")).toBe(true));
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
  });

  it("offers the draft that was changed last before the crash, unless it is open", async () => {
    const { id, updatedAt } = await newestDraft();
    const run = { startedAt: updatedAt, endedBefore: updatedAt + 1 };
    const { user } = renderAfterCrash("/templates", run);
    await user.click(await screen.findByRole("link", OPEN));
    await waitFor(() => expect(window.location.hash).toBe(`#/drafts/${id}`));
    await waitFor(() => expect(screen.queryByRole("link", OPEN)).toBeNull());
  });

  it("offers no draft that was not touched in the run that crashed", async () => {
    const { updatedAt } = await newestDraft();
    const { host } = renderAfterCrash("/templates", { startedAt: updatedAt + 1, endedBefore: updatedAt + 2 });
    await screen.findByText("Template Desk did not close normally last time");
    await waitFor(() => expect(host.calls.some(({ name }) => name === "list_drafts")).toBe(true));
    expect(screen.queryByRole("link", OPEN)).toBeNull();
  });

  it("leads to the batch and the bulk action that it interrupted, by name", async () => {
    const { host, user } = renderAfterCrash();
    const batches = await host.call("list_batches", { workspace: "sandbox" });
    const batch = { ...(batches[0] as Batch), state: "interrupted" as const, error: null };
    host.answer("list_batches", () => [batch]);
    host.answer("list_bulk_actions", () => [INTERRUPTED]);
    host.emit({ type: "batchProgress", workspace: "sandbox", id: batch.id, done: 0, total: 1, state: "interrupted" });
    host.emit({ type: "bulkActionProgress", workspace: "sandbox", id: "b1", done: 1, total: 3, state: "interrupted" });
    const action = await screen.findByRole("link", { name: "Archiving stopped at 1 of 3 templates" });
    expect(action.getAttribute("href")).toContain("bulkAction=b1");
    await user.click(await screen.findByRole("link", { name: `Show the interrupted batch “${batch.templateName}”` }));
    await waitFor(() => expect(window.location.hash).toBe(`#/sends/batches/${batch.id}`));
  });

  it("shows the diagnostics before it saves them", async () => {
    const { host, user } = renderAfterCrash();
    await user.click(await screen.findByRole("button", { name: "Save diagnostics…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Save diagnostics" }));
    const text = await dialog.findByRole("group", { name: "Diagnostics" });
    expect(text.textContent).toContain("system: linux x86_64");
    expect(host.calls.some(({ name }) => name === "save_diagnostics")).toBe(false);
    await user.click(dialog.getByRole("button", { name: "Save…" }));
    expect(await screen.findByText("/home/ana/Template Desk diagnostics.txt")).toBeDefined();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
