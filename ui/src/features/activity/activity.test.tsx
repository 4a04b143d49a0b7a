import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { EVENTS } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { CommandName } from "@/lib/ipc/host";

/** A host whose newest event can be changed. */
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

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const lastAsked = (host: FakeHost, name: CommandName) => asked(host, name).at(-1)?.request;

describe("events", () => {
  it("show by themselves as they come in", async () => {
    const { host, arrive } = liveHost();
    renderApp("/activity", host);
    await screen.findByRole("row", { name: /before/ });
    arrive("after");
    expect(await screen.findByRole("row", { name: /after/ })).toBeTruthy();
  });

  it("do not change while paused, and show how many were missed", async () => {
    const { host, arrive } = liveHost();
    const { user } = renderApp("/activity", host);
    await screen.findByRole("row", { name: /before/ });
    await user.click(screen.getByRole("button", { name: "Pause" }));
    arrive("after");
    arrive("after");
    const pill = await screen.findByRole("button", { name: "6 new events" });
    expect(screen.queryByRole("row", { name: /after/ })).toBeNull();
    await user.click(pill);
    expect(await screen.findByRole("row", { name: /after/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Pause" })).toBeTruthy();
  });

  it("do not change while the list is scrolled, and refetch only the first page", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user } = renderApp("/activity", host);
    const list = await screen.findByRole("grid", { name: "Events" });
    list.scrollTop = 8_800;
    fireEvent.scroll(list);
    await waitFor(() => expect(asked(host, "list_events").length).toBeGreaterThan(1));
    const before = asked(host, "list_events").length;
    host.emit({ type: "eventsStored", workspaces: ["sandbox"], count: 12 });
    await user.click(await screen.findByRole("button", { name: "12 new events" }));
    expect(list.scrollTop).toBe(0);
    fireEvent.scroll(list);
    await waitFor(() => expect(asked(host, "list_events").length).toBe(before + 1));
    expect(lastAsked(host, "list_events")).toMatchObject({ after: null });
  });

  it("of another workspace change nothing", async () => {
    const { host } = liveHost();
    const { user } = renderApp("/activity", host);
    await screen.findByRole("row", { name: /before/ });
    await user.click(screen.getByRole("button", { name: "Pause" }));
    host.emit({ type: "eventsStored", workspaces: ["acme"], count: 3 });
    expect(screen.queryByRole("button", { name: /new events/ })).toBeNull();
  });

  it("say in their row how often they were delivered", async () => {
    renderApp("/activity");
    expect((await screen.findAllByRole("row", { name: /delivered 3 times/ })).length).toBeGreaterThan(0);
  });

  it("name the template that they are about, or whose message they are about, and lead to it", async () => {
    const { user } = renderApp("/activity");
    const row = await screen.findByRole("row", { name: /^Message status: .*, summer_sale_2026, Sent$/ });
    expect(screen.getAllByRole("row", { name: /^Template status: summer_sale_2026, / }).length).toBeGreaterThan(0);
    await user.click(within(row).getByRole("link", { name: "summer_sale_2026" }));
    expect(await screen.findByRole("heading", { level: 1, name: "summer_sale_2026" })).toBeTruthy();
  });

  it("say in words why a template was rejected", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first] = EVENTS;
    if (!first) throw new Error("There are events");
    const rejected = { ...first, kind: "template_status", status: "REJECTED" };
    const known = { ...rejected, id: "e1", summary: "REJECTED · TAG_CONTENT_MISMATCH" };
    const unknown = { ...rejected, id: "e2", summary: "REJECTED · NEW_RULE" };
    host.answer("list_events", () => ({ rows: [known, unknown], behind: 0 }));
    renderApp("/activity", host);
    await screen.findByRole("row", { name: /Rejected · The content doesn.t match/ });
    expect(screen.getByRole("row", { name: /Rejected · New rule/ })).toBeTruthy();
  });

  it("are narrowed by filters that the address keeps, and that are taken away one by one", async () => {
    const { host, user } = renderApp("/activity?contact=447700900123&kind=status&from=2026-11-20T08:00");
    const chips = within(await screen.findByRole("list", { name: "Active filters" }));
    expect(lastAsked(host, "list_events")).toMatchObject({
      contact: "447700900123",
      kind: "status",
      from: new Date(2026, 10, 20, 8).getTime(),
      to: null,
    });
    await user.click(chips.getByRole("button", { name: "Remove the filter: Contact 447700900123" }));
    await waitFor(() => expect(window.location.hash).not.toContain("contact"));
    expect(window.location.hash).toContain("kind=status");
    await user.click(chips.getByRole("button", { name: "Remove all" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Active filters" })).toBeNull());
    await waitFor(() => expect(lastAsked(host, "list_events")).toMatchObject({ kind: null, from: null }));
  });

  it("are narrowed in a form, by template, number and times", async () => {
    const { host, user } = renderApp("/activity");
    await user.click(await screen.findByRole("button", { name: "Filters" }));
    const form = within(await screen.findByRole("dialog", { name: "Filters" }));
    await user.type(form.getByRole("textbox", { name: "Template" }), "summer_sale_2026");
    await user.type(form.getByRole("combobox", { name: "Number" }), "108001");
    const to = form.getByLabelText<HTMLInputElement>("To");
    await user.clear(to);
    await user.type(to, "2026-11-20T09:30");
    await user.click(form.getByRole("button", { name: "Apply" }));
    await waitFor(() =>
      expect(lastAsked(host, "list_events")).toMatchObject({
        template: "summer_sale_2026",
        number: "108001",
        // The minute named belongs to it.
        to: new Date(2026, 10, 20, 9, 31).getTime(),
      }),
    );
  });

  it("that are rare are searched for in steps, as far as the person wants", async () => {
    const { host, user } = renderApp("/activity?q=turquoise");
    expect(await screen.findByText(/No events found so far\. Searched back to/)).toBeTruthy();
    expect(asked(host, "list_events")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Keep searching" }));
    await waitFor(() => expect(asked(host, "list_events")).toHaveLength(2));
    await user.click(await screen.findByRole("button", { name: "Keep searching" }));
    expect(await screen.findByRole("row", { name: /turquoise/ })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Keep searching" })).toBeNull();
  });

  it("open in a panel, and close with Escape", async () => {
    const { user } = renderApp("/activity");
    await user.click((await screen.findAllByRole("row", { name: /Template status/ }))[0] as HTMLElement);
    const panel = await screen.findByRole("complementary", { name: "Event" });
    expect(await within(panel).findByText("message_template_status_update")).toBeTruthy();
    expect(await within(panel).findByRole("group", { name: "Decoded" })).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("complementary", { name: "Event" })).toBeNull());
  });

  it("are reached, opened and left by keyboard", async () => {
    const { user } = renderApp("/activity");
    const list = await screen.findByRole("grid", { name: "Events" });
    list.focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    const panel = await screen.findByRole("complementary", { name: "Event" });
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    await within(panel).findByRole("heading", { name: "Decoded" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(list));
  });

  it("stay readable when retention has removed their delivery", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail = await host.call("get_event", { event: "event-1" });
    host.answer("get_event", () => ({ ...detail, value: null, raw: null, headers: [] }));
    renderApp("/activity?event=event-1", host);
    expect(await screen.findByText(/template histories are kept/)).toBeTruthy();
  });

  it("say that they edit or delete a message, whether that counts, and where the conversation is", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first] = EVENTS;
    if (!first) throw new Error("There are events");
    const message = { ...first, kind: "message", contact: "5511990001111", subject: "5511990001111", status: null };
    const edit = { ...message, id: "e1", summary: "Rose street 14", revision: { deletion: false, ignored: false } };
    const deletion = { ...message, id: "e2", summary: "", revision: { deletion: true, ignored: true } };
    host.answer("list_events", () => ({ rows: [edit, deletion], behind: 0 }));
    const detail = await host.call("get_event", { event: "event-1" });
    host.answer("get_event", ({ event }) => ({
      ...detail,
      row: event === "e1" ? edit : deletion,
      meaning: event === "e1" ? "messageEdited" : "messageDeleted",
      facts: [{ label: "originalText", value: "Rose street 4" }],
    }));
    const { user } = renderApp("/activity", host);
    await user.click(await screen.findByRole("row", { name: /Edited message · Rose street 14/ }));
    const panel = within(await screen.findByRole("complementary", { name: "Event" }));
    expect(await panel.findByText("A person edited a message.")).toBeTruthy();
    expect(panel.getByText("Original text").nextElementSibling?.textContent).toBe("Rose street 4");
    expect(panel.getByRole("link", { name: "Open conversation" }).getAttribute("href")).toContain("/inbox?contact=");
    await user.click(screen.getByRole("row", { name: /Deleted message/ }));
    expect(await screen.findByText(/deleted a message for everyone\. It changes nothing here/)).toBeTruthy();
  });

  it("are compared, line by line, after a second one was chosen", async () => {
    const { host, user } = renderApp("/activity?event=event-1");
    await user.click(await screen.findByRole("button", { name: "Compare…" }));
    expect(await screen.findByText("In the list, choose the event to compare with.")).toBeTruthy();
    await user.click((await screen.findAllByRole("row", { name: /Delivered/ }))[0] as HTMLElement);
    const panel = within(await screen.findByRole("complementary", { name: "Comparison" }));
    expect(await panel.findByText(/"status": "sent"/)).toBeTruthy();
    expect(panel.getByText(/"status": "delivered"/).closest("ins")).toBeTruthy();
    expect(lastAsked(host, "compare_events")).toMatchObject({ left: "event-1" });
    await user.click(panel.getByRole("button", { name: "Swap" }));
    await waitFor(() => expect(lastAsked(host, "compare_events")).toMatchObject({ right: "event-1" }));
  });

  it("are searched for by what is typed", async () => {
    const { host, user } = renderApp("/activity");
    await user.type(await screen.findByRole("searchbox", { name: /Search template, contact/ }), "blue");
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
    const { user } = renderApp("/activity?view=receiver", host);
    await user.click(await screen.findByRole("button", { name: "Use 127.0.0.1:8901 instead" }));
    expect(host.calls.find(({ name }) => name === "set_receiver")?.request).toEqual({ address: "127.0.0.1:8901" });
  });

  it("keeps a refused address in its field", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("set_receiver", () =>
      refusal({ code: "invalidInput", field: "address", message: "An IP address and a port are expected." }),
    );
    const { user } = renderApp("/settings?section=receiver", host);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: /Receiver address/ });
    await user.clear(field);
    await user.type(field, "localhost{Enter}");
    expect(await screen.findByText("An IP address and a port are expected.")).toBeTruthy();
    expect(field.value).toBe("localhost");
  });
});
