import { createFakeHost, refusal } from "@test/fake-host";
import { EVENTS } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

/** A host whose newest event changes when it is told so. */
function liveHost() {
  const host = createFakeHost({ templates: 40 });
  const [first] = EVENTS;
  if (!first) throw new Error("There are events");
  let subject = "before";
  host.answer("list_events", () => ({ rows: [{ ...first, subject }], behind: 0 }));
  return {
    host,
    arrive: (next: string) => {
      subject = next;
      host.emit({ type: "eventsStored", workspaces: ["sandbox"], count: 3 });
    },
  };
}

describe("events", () => {
  it("show by themselves as they come in", async () => {
    const { host, arrive } = liveHost();
    renderApp("/activity", host);
    await screen.findByRole("row", { name: /before/ });
    arrive("after");
    expect(await screen.findByRole("row", { name: /after/ })).toBeTruthy();
  });

  it("stand still while paused and say how many were missed", async () => {
    const { host, arrive } = liveHost();
    const { user } = renderApp("/activity", host);
    await screen.findByRole("row", { name: /before/ });
    await user.click(screen.getByRole("button", { name: "Pause" }));
    arrive("after");
    const resume = await screen.findByRole("button", { name: "Resume · 3 new" });
    expect(screen.queryByRole("row", { name: /after/ })).toBeNull();
    await user.click(resume);
    expect(await screen.findByRole("row", { name: /after/ })).toBeTruthy();
  });

  it("open beside the list with value, bytes and headers, and close with Escape", async () => {
    const { user } = renderApp("/activity");
    await user.click((await screen.findAllByRole("row", { name: /Template status/ }))[0] as HTMLElement);
    const panel = await screen.findByRole("complementary", { name: "Event" });
    expect(await within(panel).findByText("message_template_status_update")).toBeTruthy();
    await user.click(within(panel).getByRole("tab", { name: "Raw" }));
    await user.click(within(panel).getByRole("radio", { name: "Bytes" }));
    expect(await within(panel).findByText(/^00000000 7b 22/)).toBeTruthy();
    await user.click(within(panel).getByRole("tab", { name: "Headers" }));
    expect(within(panel).getByText("x-hub-signature-256")).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("complementary", { name: "Event" })).toBeNull());
  });

  it("are searched for by what is typed", async () => {
    const { host, user } = renderApp("/activity");
    await user.type(await screen.findByRole("textbox", { name: /Search template, contact/ }), "blue");
    await waitFor(() =>
      expect(
        host.calls.some(
          ({ name, request }) => name === "list_events" && "search" in request && request.search === "blue",
        ),
      ).toBe(true),
    );
    await waitFor(() => expect(window.location.hash).toContain("q=blue"));
  });

  it("say why they cannot be shown", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_events", () => refusal({ code: "storage", reason: "the file is locked" }));
    renderApp("/activity", host);
    expect(await screen.findByText("the file is locked")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

describe("the receiver", () => {
  const REASONS = [
    "hostNotAllowed",
    "browserOrigin",
    "unknownPath",
    "methodNotAllowed",
    "malformedHandshake",
    "verifyTokenMismatch",
    "noVerifyToken",
    "bodyTooLarge",
    "bodyTimeout",
    "bodyBroken",
    "noSecret",
    "missing",
    "duplicate",
    "malformed",
    "mismatch",
    "busy",
    "storage",
    "storageTimeout",
  ];

  it("says for every reason why a delivery was refused and what to do", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_refused_deliveries", () =>
      [...REASONS, "somethingNew"].map((reason, place) => ({
        at: 1_700_000_000_000 + place,
        workspace: "acme",
        path: `/webhook/${reason}`,
        status: 401,
        reason,
        size: 12,
        excerpt: "",
      })),
    );
    renderApp("/activity?view=refused", host);
    await screen.findByText("Refused: somethingNew");
    for (const reason of REASONS) {
      const item = screen.getByText(`/webhook/${reason}`).closest("li");
      expect(item?.textContent).not.toContain(reason === "storage" ? "Refused: storage" : `Refused: ${reason}`);
    }
    expect(screen.getByText("Its signature does not fit the body")).toBeTruthy();
  });

  it("offers a free address where its own is taken", async () => {
    const host = createFakeHost({ templates: 40 });
    const bootstrap = await host.call("get_bootstrap", {});
    host.answer("get_bootstrap", () => ({
      ...bootstrap,
      receiver: {
        state: "failed",
        address: "127.0.0.1:8787",
        reason: "another program uses this port",
        suggestion: "127.0.0.1:8901",
      },
    }));
    const { user } = renderApp("/activity?view=refused", host);
    await user.click(await screen.findByRole("button", { name: "Use 127.0.0.1:8901 instead" }));
    expect(host.calls.find(({ name }) => name === "set_receiver")?.request).toEqual({ address: "127.0.0.1:8901" });
  });

  it("keeps a refused address in its field", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("set_receiver", () =>
      refusal({ code: "invalidInput", field: "address", message: "An IP address and a port are expected." }),
    );
    const { user } = renderApp("/settings?section=receiver", host);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: /Address of the receiver/ });
    await user.clear(field);
    await user.type(field, "localhost{Enter}");
    expect(await screen.findByText("An IP address and a port are expected.")).toBeTruthy();
    expect(field.value).toBe("localhost");
  });
});
