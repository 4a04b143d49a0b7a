import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { PlanBatchSide, SendForm, StartBatch } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";
import { forgetDraft } from "./draft";

const FIRST = "5f3b8f0e-0000-4000-8000-000000000000";
const SECOND = "5f3b8f0e-0000-4000-8000-000000000002";
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const side = (host: FakeHost) => asked(host, "plan_batch_side").at(-1)?.request as PlanBatchSide;

const open = (reference: string) =>
  act(() => window.history.pushState(null, "", `#/sends/batches/new?reference=${reference}`));

beforeEach(() => forgetDraft("sandbox"));

/** A host whose templates have nothing to fill, so that only the list is asked for. */
async function plainHost() {
  const host = createFakeHost({ templates: 40 });
  const form: SendForm = await host.call("get_send_form", { workspace: "sandbox", reference: FIRST });
  host.answer("get_send_form", ({ reference }) => ({
    ...form,
    name: reference === FIRST ? "summer" : "winter",
    parts: [],
  }));
  return host;
}

async function checkFirst(user: UserEvent) {
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await button("Choose a CSV file…"));
  await screen.findByText("customers.csv");
  await user.click(screen.getByRole("switch", { name: /^Compare with another template/ }));
  await user.click(screen.getByRole("combobox", { name: "Part of the list for this template" }));
  await user.click(await screen.findByRole("option", { name: "30%" }));
  await user.click(await button("Check recipients"));
  return screen.findByRole("link", { name: "Choose the other template…" });
}

describe("a list that is divided between two templates", () => {
  it("is checked with both, and the first half starts before the second", async () => {
    const host = await plainHost();
    const { user } = renderApp(`/sends/batches/new?reference=${FIRST}`, host);
    await checkFirst(user);
    const first = side(host);
    expect(first).toMatchObject({ isFirst: true, share: 30, plan: { reference: FIRST } });
    expect(asked(host, "plan_batch")).toHaveLength(0);

    open(SECOND);
    expect(
      await screen.findByText("Compared with summer. This template gets the other 70% of the list."),
    ).toBeDefined();
    expect(screen.getByText("customers.csv")).toBeDefined();
    await user.click(await button("Check recipients"));
    expect(await screen.findByRole("link", { name: "Review and send…" })).toBeDefined();
    expect(side(host)).toMatchObject({
      isFirst: false,
      share: 30,
      comparison: first.comparison,
      plan: { reference: SECOND, source: { kind: "csv" } },
    });
    await user.click(screen.getByRole("link", { name: "Review and send…" }));
    expect(await screen.findByText("One list was divided by chance: 30% for the first batch.")).toBeDefined();
    const waiting = within(await screen.findByRole("status", { name: "Nothing has been sent yet." }));
    const [send] = waiting.getAllByRole("button", { name: /^Send summer_sale_2026 to \d+ people…$/ });
    await user.click(send as HTMLElement);
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: /^Send / }));
    await waitFor(() => expect(asked(host, "start_batch")).toHaveLength(1));
    const started = asked(host, "start_batch").map(({ request }) => (request as StartBatch).batch);
    expect(window.location.hash).toContain(`first=${started[0]}`);
    expect(await screen.findByRole("status", { name: "One half has not been sent." })).toBeDefined();
    expect(await screen.findByText(/wait until the other half is done\.$/)).toBeDefined();
  });

  it("is checked again where the list was changed between both checks", async () => {
    const host = await plainHost();
    const { user } = renderApp(`/sends/batches/new?reference=${FIRST}`, host);
    await checkFirst(user);
    open(SECOND);
    await screen.findByText(/^Compared with summer/);
    await user.click(screen.getByRole("radio", { name: "Address book" }));
    await user.click((await screen.findAllByRole("checkbox", { name: /Souza|Weber/ }))[0] as HTMLElement);
    await user.click(await button("Check recipients"));
    expect(await screen.findByText(/^The list, the number or the values of summer were changed/)).toBeDefined();
    expect(screen.getByRole("link", { name: "To the first template" })).toBeDefined();
    expect(screen.queryByRole("link", { name: "Review and send…" })).toBeNull();
  });

  it("is checked again where the proportion was changed after its check", async () => {
    const host = await plainHost();
    const { user } = renderApp(`/sends/batches/new?reference=${FIRST}`, host);
    await checkFirst(user);
    open(SECOND);
    await screen.findByText(/^Compared with summer/);
    await user.click(await button("Check recipients"));
    await screen.findByRole("link", { name: "Review and send…" });
    open(FIRST);
    await user.click(await screen.findByRole("combobox", { name: "Part of the list for this template" }));
    await user.click(await screen.findByRole("option", { name: "50%" }));
    open(SECOND);
    expect(
      await screen.findByText("Compared with summer. This template gets the other 50% of the list."),
    ).toBeDefined();
    await user.click(await button("Check recipients"));
    expect(await screen.findByText(/^The list, the number or the values of summer were changed/)).toBeDefined();
  });

  it("offers its second half once the first is done", async () => {
    const host = createFakeHost({ templates: 40 });
    const found = await host.call("compare_batches", { workspace: "sandbox", first: "batch-old", second: "batch-old" });
    const half = (state: "running" | "done" | "planned", id: string) => ({
      ...found.first,
      batch: { ...found.first.batch, id, state, counts: { ...found.first.batch.counts, planned: 20 } },
    });
    const first = half("done", "a");
    host.answer("compare_batches", () => ({ ...found, limits: [], share: 50, first, second: half("planned", "b") }));
    host.answer("start_batch", () => half("running", "b").batch);
    const { user } = renderApp("/sends/batches/compare?first=a&second=b", host);
    await user.click(await button(/^Send order_shipped to 20 people…$/));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: /^Send / }));
    await waitFor(() => expect(asked(host, "start_batch")[0]?.request).toEqual({ batch: "b", skipBad: true }));
    expect(asked(host, "spread_batch")[0]?.request).toEqual({ batch: "b" });
  });
});
