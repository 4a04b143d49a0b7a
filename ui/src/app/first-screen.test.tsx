import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

test("the first drawing of the window has the rows of its list", async () => {
  const host = createFakeHost({ templates: 3 });
  renderApp("/templates", host);
  const seen: number[] = [];
  const watch = new MutationObserver(() => {
    if (screen.queryByRole("heading", { level: 1 })) seen.push(screen.queryAllByRole("row").length);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await screen.findAllByRole("row");
  watch.disconnect();
  expect(seen[0]).toBe(3);
});

test("the window opens when its list is not answered", async () => {
  const host = createFakeHost({ templates: 3 });
  host.answer("list_templates", () => new Promise<never>(() => undefined));
  renderApp("/templates", host);
  expect(await screen.findByRole("heading", { level: 1, name: "Templates" })).toBeDefined();
  expect(screen.queryAllByRole("row")).toEqual([]);
});

test.each([
  ["/templates", "Templates"],
  // Its code is loaded when it is opened.
  ["/review", "Review"],
])("the heading of %s has the focus when the window opens", async (address, name) => {
  renderApp(address);
  const heading = await screen.findByRole("heading", { level: 1, name });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test("the window keeps its router when everything in it becomes stale", async () => {
  const { user } = renderApp("/phone");
  await user.click(await screen.findByRole("button", { name: "Start over…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start the sandbox over?" }));
  const listened = vi.spyOn(window, "addEventListener");
  await user.click(dialog.getByRole("button", { name: "Delete and start over" }));
  expect(await screen.findByText("The sandbox started over")).toBeDefined();
  expect(listened.mock.calls.map(([type]) => type)).not.toContain("popstate");
  listened.mockRestore();
});

test("a window that could not start does so when it is tried again", async () => {
  const host = createFakeHost({ templates: 3 });
  const working = createFakeHost({ templates: 3 });
  let works = false;
  host.answer("get_bootstrap", (request) => {
    if (works) return working.call("get_bootstrap", request);
    return refusal({ code: "storage", reason: "the disk is full" });
  });
  const { user } = renderApp("/templates", host);
  expect(await screen.findByRole("heading", { name: "Template Desk could not start" })).toBeDefined();
  works = true;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findAllByRole("row")).toHaveLength(3);
});
