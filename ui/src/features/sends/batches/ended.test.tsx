import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Batch, BatchDetail } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";

const OLD = "/sends/batches/batch-old";
const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);

async function ended(): Promise<FakeHost> {
  const host = createFakeHost({ templates: 40 });
  await host.call("end_batch", { batch: "batch-old" });
  return host;
}

/** How much of the bar has a colour, in percent. */
function filled(bar: HTMLElement): number {
  const sections = [...bar.children].map(({ style }: Element & { style?: CSSStyleDeclaration }) => ({
    color: style?.getPropertyValue("--progress-section-color"),
    width: Number.parseFloat(style?.getPropertyValue("--progress-section-size") ?? "0"),
  }));
  return sections.filter(({ color }) => color !== "transparent").reduce((sum, { width }) => sum + width, 0);
}

it("says how many rows a batch that was ended did not send, instead of all", async () => {
  renderApp(OLD, await ended());
  expect(await screen.findByText("Ended: 18 not sent")).toBeTruthy();
  expect(screen.getByText("22 of 40 rows done")).toBeTruthy();
  expect(screen.getByText("You ended this batch before 18 rows were sent. Statuses can still change.")).toBeTruthy();
  expect(screen.queryByText("Done")).toBeNull();
  expect(filled(screen.getByRole("progressbar", { name: "Progress of the batch" }))).toBe(55);
});

it("lists it so", async () => {
  renderApp("/sends/batches", await ended());
  expect(await screen.findByRole("row", { name: /, Ended: 18 not sent, .* · 18 not sent$/ })).toBeTruthy();
});

it("filters the rows of those who were left out when it was ended", async () => {
  const host = await ended();
  const { user } = renderApp(OLD, host);
  const filter = within(await screen.findByRole("group", { name: "Rows by status" }));
  expect(filter.queryByRole("button", { name: /^Skipped/ })).toBeNull();
  await user.click(filter.getByRole("button", { name: "Not sent 18" }));
  await waitFor(() =>
    expect(asked(host, "get_batch").at(-1)?.request).toMatchObject({ batch: "batch-old", group: "ended" }),
  );
  await waitFor(() => expect(screen.queryByRole("row", { name: /Delivered/ })).toBeNull());
  expect((await screen.findAllByRole("row", { name: /, Not sent, The batch was ended/ })).length).toBeGreaterThan(0);
  expect(filter.getByRole("button", { name: "Not sent 18" }).getAttribute("aria-pressed")).toBe("true");
});

it("makes a batch of exactly those who were left out when it was ended", async () => {
  const host = await ended();
  const { user } = renderApp(OLD, host);
  const people = within(await screen.findByRole("region", { name: "Results by person" }));
  expect(people.getByText("Not sent 18")).toBeTruthy();
  await user.click(people.getByRole("button", { name: "New batch for 18 people" }));
  await waitFor(() => expect(asked(host, "plan_round")[0]?.request).toEqual({ batch: "batch-old", group: "ended" }));
  expect(await screen.findByText(/^This batch has people from an earlier batch: Not sent\./)).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Send to 18 people…" })).toBeTruthy();
});

it("does not call a batch done of which every message failed", async () => {
  const host = createFakeHost({ templates: 40 });
  const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
  const batch: Batch = { ...detail.batch, state: "done", ending: "allFailed" };
  host.answer("get_batch", () => ({ ...detail, batch }));
  renderApp(OLD, host);
  expect(await screen.findByText("All failed")).toBeTruthy();
  expect(screen.getByText("No message was delivered. Each row says why.")).toBeTruthy();
  expect(screen.queryByText("Done")).toBeNull();
});

it("leaves the bar of a paused batch empty where nothing was sent", async () => {
  const host = createFakeHost({ templates: 40 });
  const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
  const counts = { ...detail.batch.counts, planned: 0, cancelled: 18 };
  host.answer("get_batch", () => ({ ...detail, batch: { ...detail.batch, state: "cancelled", counts } }));
  renderApp(OLD, host);
  expect(filled(await screen.findByRole("progressbar", { name: "Progress of the batch" }))).toBe(55);
});
