import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { CommandName } from "@/lib/ipc/host";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const lastAsked = (host: FakeHost, name: CommandName) => asked(host, name).at(-1)?.request;

async function choose(user: UserEvent, item: RegExp) {
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

describe("exporting", () => {
  it("writes the events of the list, all pages of it, and says where", async () => {
    const { host, user } = renderApp("/activity?kind=message&contact=447700900123");
    await screen.findByRole("grid", { name: "Events" });
    await choose(user, /Export these events/);
    expect(await screen.findByText("/home/ana/events-2026-11-20.jsonl")).toBeTruthy();
    expect(lastAsked(host, "export_events")).toMatchObject({
      query: { workspace: "sandbox", kind: "message", contact: "447700900123", search: null },
    });
  });

  it("says nothing when the dialog was cancelled, and why it failed otherwise", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("export_events", () => null);
    const { user } = renderApp("/activity", host);
    await choose(user, /Export these events/);
    await waitFor(() => expect(screen.queryByText(/Exporting events/)).toBeNull());
    host.answer("export_events", () => refusal({ code: "storage", reason: "the disk is full" }));
    await choose(user, /Export these events/);
    expect(await screen.findByText("the disk is full")).toBeTruthy();
  });
});

describe("checking signatures again", () => {
  it("counts what each says, and opens those that do not fit", async () => {
    const { host, user } = renderApp("/activity");
    await choose(user, /Check signatures again/);
    const dialog = within(await screen.findByRole("dialog", { name: "Check signatures again" }));
    await user.type(dialog.getByRole("textbox", { name: "From delivery" }), "100");
    await user.click(dialog.getByRole("button", { name: "Check" }));
    expect(await dialog.findByText("2 deliveries have an invalid signature.")).toBeTruthy();
    expect(lastAsked(host, "verify_signatures")).toEqual({ workspace: "sandbox", from: 100, to: null });
    await user.click(dialog.getByRole("button", { name: "Open delivery 1199" }));
    const panel = within(await screen.findByRole("complementary", { name: "Delivery" }));
    expect(await panel.findByRole("region", { name: "Raw" })).toBeTruthy();
    expect(window.location.hash).toContain("delivery=");
  });

  it("refuses a range that ends before it begins", async () => {
    const { host, user } = renderApp("/activity");
    await choose(user, /Check signatures again/);
    const dialog = within(await screen.findByRole("dialog", { name: "Check signatures again" }));
    await user.type(dialog.getByRole("textbox", { name: "From delivery" }), "9");
    await user.type(dialog.getByRole("textbox", { name: "To delivery" }), "3");
    await user.click(dialog.getByRole("button", { name: "Check" }));
    expect(dialog.getByText("This is before the first delivery.")).toBeTruthy();
    expect(asked(host, "verify_signatures")).toHaveLength(0);
  });
});

describe("reading anew", () => {
  it("of one delivery says what came of it", async () => {
    const { host, user } = renderApp("/activity?event=event-2");
    await user.click(await screen.findByRole("button", { name: "Process again" }));
    expect(await screen.findByText(/One delivery reprocessed\. .* No differences found\./)).toBeTruthy();
    expect(lastAsked(host, "replay_events")).toEqual({ scope: { kind: "one", seq: 1199 } });
  });

  it("of a range begins with that of the list and shows what was corrected", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("replay_events", () => ({ deliveries: 200, items: 210, changed: 1 }));
    const { user } = renderApp("/activity", host);
    await screen.findByRole("grid", { name: "Events" });
    await choose(user, /Reprocess stored events/);
    const dialog = within(await screen.findByRole("dialog", { name: "Reprocess stored events" }));
    await user.click(dialog.getByRole("button", { name: "Reprocess" }));
    expect(await dialog.findByText(/200 deliveries reprocessed\. .* One difference corrected\./)).toBeTruthy();
    expect(lastAsked(host, "replay_events")).toEqual({ scope: { kind: "range", from: 1001, to: 1200 } });
  });

  it("of all shows how far it is until it is done", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("rebuild_projection", () => {
      host.emit({ type: "projectionProgress", done: 0, total: 10_000_000, rebuilding: true });
      return { done: 0, total: 10_000_000, rebuilding: true, behind: 10_000_000 };
    });
    host.answer("get_projection", () => ({ done: 10, total: 10_000_000, rebuilding: true, behind: 9_999_990 }));
    const { user } = renderApp("/activity", host);
    await choose(user, /Reprocess stored events/);
    const dialog = within(await screen.findByRole("dialog", { name: "Reprocess stored events" }));
    await user.click(dialog.getByRole("radio", { name: /All deliveries/ }));
    await user.click(dialog.getByRole("button", { name: "Rebuild" }));
    const bar = await screen.findByRole("region", { name: /Rebuilding your data/ });
    host.emit({ type: "projectionProgress", done: 4_203_518, total: 10_000_000, rebuilding: true });
    expect(await within(bar).findByText("4,203,518 of 10,000,000 deliveries")).toBeTruthy();
    expect(within(bar).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("42");
    host.emit({ type: "projectionProgress", done: 10_000_000, total: 10_000_000, rebuilding: false });
    await waitFor(() => expect(screen.queryByRole("region", { name: /Rebuilding your data/ })).toBeNull());
  });
});

describe("progress of reading in", () => {
  it.each(["/activity", "/inbox", "/insights", "/settings?section=storage"])("stands on %s", async (address) => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_projection", () => ({ done: 1_000, total: 50_000, rebuilding: false, behind: 49_000 }));
    renderApp(address, host);
    expect(await screen.findByRole("region", { name: /Processing stored webhooks/ })).toBeTruthy();
  });

  it("says no more than a line while little is waiting", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_projection", () => ({ done: 1_000, total: 1_012, rebuilding: false, behind: 12 }));
    host.answer("list_events", () => ({ rows: [], behind: 12 }));
    renderApp("/activity", host);
    expect(await screen.findByText("Processing 12 stored events.")).toBeTruthy();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });
});

describe("forwarding", () => {
  it("goes on until it is stopped, and shows how it goes", async () => {
    const { host, user } = renderApp("/activity");
    await choose(user, /Forward to a local program/);
    const dialog = within(await screen.findByRole("dialog", { name: "Forward to a local program" }));
    await user.type(dialog.getByRole("textbox", { name: /^Address/ }), "http://localhost:3000/hook");
    await user.click(dialog.getByRole("button", { name: "Start forwarding" }));
    const bar = within(await screen.findByRole("region", { name: "Forward to a local program" }));
    expect(bar.getByText("http://localhost:3000/hook")).toBeTruthy();
    expect(lastAsked(host, "set_forwarding")).toEqual({ url: "http://localhost:3000/hook", workspace: "sandbox" });
    await user.click(bar.getByRole("button", { name: "Stop forwarding" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Stop forwarding" })).toBeNull());
    expect(lastAsked(host, "set_forwarding")).toEqual({ url: null });
  });

  it("refuses another computer at the field of the address", async () => {
    const { user } = renderApp("/activity");
    await choose(user, /Forward to a local program/);
    const dialog = within(await screen.findByRole("dialog", { name: "Forward to a local program" }));
    const address = dialog.getByRole<HTMLInputElement>("textbox", { name: /^Address/ });
    await user.clear(address);
    await user.type(address, "https://example.com/hook");
    await user.click(dialog.getByRole("button", { name: "Start forwarding" }));
    expect(await dialog.findByText("Only addresses of this computer are allowed.")).toBeTruthy();
    expect(address.getAttribute("aria-invalid")).toBe("true");
  });

  it("of one stored delivery tells whether it was accepted", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("forward_stored", () => ({ sent: 0, failed: 1, lastError: "connection refused" }));
    const { user } = renderApp("/activity?event=event-2", host);
    await user.click(await screen.findByRole("button", { name: "Forward…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Forward delivery 1199" }));
    const address = dialog.getByRole("textbox", { name: /^Address/ });
    await user.clear(address);
    await user.type(address, "http://127.0.0.1:9/");
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    expect(await dialog.findByText("Last failure: connection refused")).toBeTruthy();
    expect(lastAsked(host, "forward_stored")).toEqual({
      url: "http://127.0.0.1:9/",
      scope: { kind: "one", seq: 1199 },
    });
  });
});
