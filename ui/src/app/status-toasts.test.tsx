import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { expectStatus } from "@/lib/status-toast";

const template = { workspace: "sandbox", name: "sale", language: "en" };

describe("a status that this app asked for", () => {
  it("is said once for all templates of a bulk action", async () => {
    const host = createFakeHost({ templates: 5 });
    renderApp("/settings?section=about", host);
    await screen.findByRole("heading", { level: 1 });
    const progress = { type: "bulkActionProgress", workspace: "sandbox", id: "b", total: 3 } as const;
    for (const [done, name] of ["a", "b", "c"].entries()) {
      host.emit({ ...progress, done, state: "running" });
      host.emit({ type: "templateStatusChanged", ...template, name, event: "ARCHIVED" });
    }
    host.emit({ ...progress, done: 3, state: "done" });
    // An account of one of them reports late.
    host.emit({ type: "templateStatusChanged", ...template, name: "c", event: "ARCHIVED" });
    expect(await screen.findByText("3 templates changed")).toBeTruthy();
    expect(screen.queryByText(/: Archived$/)).toBeNull();
    // What WhatsApp decides meanwhile is said as always.
    host.emit({ type: "templateStatusChanged", ...template, event: "REJECTED" });
    expect(await screen.findByText("sale (en): Rejected")).toBeTruthy();
  });

  it("is not said again after a template was archived on its page", async () => {
    const host = createFakeHost({ templates: 5 });
    renderApp("/settings?section=about", host);
    await screen.findByRole("heading", { level: 1 });
    expectStatus("sandbox", "sale", "en", "ARCHIVED");
    host.emit({ type: "templateStatusChanged", ...template, event: "ARCHIVED" });
    host.emit({ type: "templateStatusChanged", ...template, name: "other", event: "ARCHIVED" });
    await waitFor(() => expect(screen.getByText("other (en): Archived")).toBeTruthy());
    expect(screen.queryByText("sale (en): Archived")).toBeNull();
  });
});
