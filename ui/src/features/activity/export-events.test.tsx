import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { CommandName } from "@/lib/ipc/host";

const lastAsked = (host: FakeHost, name: CommandName) => host.calls.findLast((call) => call.name === name)?.request;

describe("exporting", () => {
  it("writes the events of the list, all pages of it, and says where", async () => {
    const { host, user } = renderApp("/activity?kind=message&contact=447700900123");
    await screen.findByRole("grid", { name: "Events" });
    await user.click(await screen.findByRole("button", { name: "Export these events…" }));
    expect(await screen.findByText("/home/ana/events-2026-11-20.jsonl")).toBeTruthy();
    expect(lastAsked(host, "export_events")).toMatchObject({
      query: { workspace: "sandbox", kind: "message", contact: "447700900123", search: null },
    });
  });

  it("says nothing when the dialog was cancelled, and why it failed otherwise", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("export_events", () => null);
    const { user } = renderApp("/activity", host);
    await user.click(await screen.findByRole("button", { name: "Export these events…" }));
    await waitFor(() => expect(screen.queryByText(/Exporting events/)).toBeNull());
    host.answer("export_events", () => refusal({ code: "storage", reason: "the disk is full" }));
    await user.click(await screen.findByRole("button", { name: "Export these events…" }));
    expect(await screen.findByText("the disk is full")).toBeTruthy();
  });
});

describe("progress of reading in", () => {
  it.each(["/activity", "/inbox", "/insights", "/settings?section=storage", "/settings?section=support"])(
    "stands on %s",
    async (address) => {
      const host = createFakeHost({ templates: 40 });
      host.answer("get_projection", () => ({ done: 1_000, total: 50_000, rebuilding: false, behind: 49_000 }));
      renderApp(address, host);
      expect(await screen.findByRole("region", { name: /Processing stored webhooks/ })).toBeTruthy();
    },
  );

  it("says no more than a line while little is waiting", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_projection", () => ({ done: 1_000, total: 1_012, rebuilding: false, behind: 12 }));
    host.answer("list_events", () => ({ rows: [], behind: 12 }));
    renderApp("/activity", host);
    expect(await screen.findByText("Processing 12 stored events.")).toBeTruthy();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });
});
