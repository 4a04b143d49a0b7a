import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { OpenedLink, Pending } from "@/bindings/ipc";

const SALE = "5f3b8f0e-0000-4000-8000-000000000000";
const NOTHING: Pending = { link: null, pageCrashed: false };

/** Answers `pending` once. */
function hold(host: FakeHost, pending: Partial<Pending>) {
  let held: Pending = { ...NOTHING, ...pending };
  host.answer("take_pending", () => {
    const taken = held;
    held = NOTHING;
    return taken;
  });
}

function open(host: FakeHost, link: OpenedLink) {
  hold(host, { link });
  host.emit({ type: "linkOpened" });
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

it("a link that started the app opens its page", async () => {
  const host = createFakeHost({ templates: 3 });
  hold(host, { link: { type: "page", place: `/templates/${SALE}`, workspace: null } });
  renderApp("/", host);
  expect(await heading("summer_sale_2026")).toBeDefined();
});

it("a link to another workspace is opened once it is confirmed", async () => {
  const { host, user } = renderApp("/review");
  await heading("Review");
  const link = { type: "page", place: `/templates/${SALE}`, workspace: "acme" } as const;
  open(host, link);
  let dialog = within(await screen.findByRole("dialog", { name: "Open the link in “Acme Retail”?" }));
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(host.calls.some(({ name }) => name === "save_preferences")).toBe(false);
  expect(await heading("Review")).toBeDefined();

  open(host, link);
  dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Switch and open" }));
  expect(await heading("summer_sale_2026")).toBeDefined();
  expect(host.calls.find(({ name }) => name === "save_preferences")?.request).toMatchObject({ workspace: "acme" });
});

it("a link that leads nowhere says so", async () => {
  const { host } = renderApp("/review");
  await heading("Review");
  open(host, { type: "unknown", link: "template-desk://settings/secrets" });
  expect(await screen.findByText("This link can't be opened")).toBeDefined();
  expect(screen.getByText("template-desk://settings/secrets")).toBeDefined();
  open(host, { type: "page", place: "/templates/1", workspace: "elsewhere" });
  expect(await screen.findByText("It leads to a workspace that isn't in this app.")).toBeDefined();
  expect(window.location.hash).toBe("#/review");
});

it("says once that the window was reloaded after a crash", async () => {
  const host = createFakeHost({ templates: 3 });
  hold(host, { pageCrashed: true });
  renderApp("/templates", host);
  expect(await screen.findByText("The window was reloaded")).toBeDefined();
});
