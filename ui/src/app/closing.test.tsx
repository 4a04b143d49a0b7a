import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Batch } from "@/bindings/app";

it("asks before something that is running ends with the app", async () => {
  const { host, user } = renderApp("/sends");
  await screen.findByRole("heading", { level: 1, name: "Sends" });
  const answers = () => host.calls.filter(({ name }) => name === "answer_close").map(({ request }) => request);
  host.emit({ type: "closeAsked" });
  const first = within(await screen.findByRole("dialog", { name: "Close while something is running?" }));
  await user.click(first.getByRole("button", { name: "Keep it open" }));
  await waitFor(() => expect(answers()).toEqual([{ close: false }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  host.emit({ type: "closeAsked" });
  const second = within(await screen.findByRole("dialog"));
  await user.click(second.getByRole("button", { name: "Close anyway" }));
  await waitFor(() => expect(answers().at(-1)).toEqual({ close: true }));
});

it("leads to a batch that was not finished when the app was closed", async () => {
  const host = createFakeHost({ templates: 3 });
  const batches = await host.call("list_batches", { workspace: "sandbox" });
  const batch = { ...(batches[0] as Batch), state: "interrupted" as const, error: null };
  host.answer("list_batches", () => [batch]);
  const { user } = renderApp("/templates", host);
  expect(await screen.findByText("A batch is not finished")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: `Show the interrupted batch “${batch.templateName}”` }));
  await waitFor(() => expect(window.location.hash).toBe(`#/sends/batches/${batch.id}`));
});

it("does not speak of a batch that an answer of the provider stopped", async () => {
  const host = createFakeHost({ templates: 3 });
  const batches = await host.call("list_batches", { workspace: "sandbox" });
  host.answer("list_batches", () => [
    { ...(batches[0] as Batch), state: "interrupted", error: { code: "missingCredentials" } },
  ]);
  renderApp("/templates", host);
  await screen.findByRole("grid", { name: "Templates" });
  await waitFor(() => expect(host.calls.some(({ name }) => name === "list_batches")).toBe(true));
  expect(screen.queryByText("A batch is not finished")).toBeNull();
});
