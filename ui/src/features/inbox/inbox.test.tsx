import { createFakeHost, refusal } from "@test/fake-host";
import { CONTACTS, MESSAGES, NUMBERS } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { timeLeft } from "./window-note";

const names = () => screen.getAllByRole("row").map((row) => row.getAttribute("aria-label"));

describe("contacts", () => {
  it("are searched by name and number, in the address", async () => {
    const { host, user } = renderApp("/inbox");
    await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" });
    await user.type(screen.getByRole("searchbox", { name: "Search contacts" }), "447700");
    await waitFor(() => expect(names()).toEqual(["447700900123"]));
    expect(window.location.hash).toContain("q=");
    await user.clear(screen.getByRole("searchbox"));
    await user.type(screen.getByRole("searchbox"), "nobody like this");
    expect(await screen.findByText("No contacts found")).toBeTruthy();
    expect(host.calls.at(-1)?.request).toMatchObject({ search: "nobody like this", after: null });
  });

  it("are narrowed to a number and to unread ones, and the open one stays open when it is read", async () => {
    const { user } = renderApp("/inbox");
    await user.click(await screen.findByRole("combobox", { name: "Your number" }));
    await user.click(await screen.findByRole("option", { name: "Support" }));
    await waitFor(() => expect(names()).not.toContain("Maria Souza, 2 unread messages"));
    expect(window.location.hash).toContain("number=");
    await user.click(screen.getByRole("combobox", { name: "Your number" }));
    await user.click(await screen.findByRole("option", { name: "Support" }));
    await waitFor(() => expect(window.location.hash).not.toContain("number="));
    await user.click(screen.getByRole("checkbox", { name: "Unread" }));
    await waitFor(() => expect(names()).not.toContain("447700900123"));
    expect(window.location.hash).toContain("unread=only");
    await user.click(screen.getByRole("row", { name: "Maria Souza, 2 unread messages" }));
    await waitFor(() => expect(names().some((name) => name?.startsWith("Maria"))).toBe(false));
    expect(screen.getByRole("region", { name: "Conversation with Maria Souza" })).toBeTruthy();
  });

  it("go on where a page holds few of them", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first, second] = CONTACTS;
    host.answer("list_contacts", ({ after }) => ({
      rows: after == null ? [] : ([first, second] as typeof CONTACTS),
      next: after == null ? "looked at 5000" : null,
      numbers: [],
    }));
    const { user } = renderApp("/inbox?q=ma", host);
    await user.click(await screen.findByRole("button", { name: "Keep searching" }));
    expect(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Keep searching" })).toBeNull();
  });

  it("explain how messages arrive while there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_contacts", () => ({ rows: [], numbers: NUMBERS }));
    renderApp("/inbox", host);
    expect(await screen.findByText("No conversations yet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Open the sandbox phone" })).toBeTruthy();
  });

  it("say why they cannot be shown, with a way to try again", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_contacts", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user } = renderApp("/inbox", host);
    expect(await screen.findByText("the disk is full")).toBeTruthy();
    host.answer("list_contacts", () => ({ rows: CONTACTS.slice(0, 1), numbers: [] }));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" })).toBeTruthy();
  });
});

describe("a conversation", () => {
  it("is in order, by day, and marks unread messages until it is left", async () => {
    const { user } = renderApp("/inbox");
    await user.click(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" }));
    const log = await screen.findByRole("log", { name: "Messages" });
    const entries = [...(log.querySelector("ol")?.children ?? [])].map(({ textContent }) => textContent ?? "");
    const at = (words: string) => entries.findIndex((text) => text.includes(words));
    expect(at("hologram")).toBeLessThan(at("Remind me later"));
    expect(at("Remind me later")).toBeLessThan(at("New messages"));
    expect(entries[at("New messages") + 1]).toContain("My order arrived like this");
    expect(entries.at(-1)).toContain("Is it also available in blue?");
    expect(
      entries.filter((_, index) => log.querySelector("ol")?.children[index]?.querySelector("article") === null),
    ).toHaveLength(5);
    // It is read now; the mark stays.
    expect(await screen.findByRole("row", { name: "Maria Souza" })).toBeTruthy();
    expect(within(log).getByText("New messages")).toBeTruthy();
  });

  it("leads from a quick reply to the send it answers, and from a send of ours to its page", async () => {
    renderApp("/inbox?contact=5511990001111");
    const answer = (await screen.findByText("Remind me later")).closest("article") as HTMLElement;
    expect(within(answer).getByText("Hello Maria! Our summer sale is on")).toBeTruthy();
    expect(within(answer).getByRole("link", { name: "Open send" }).getAttribute("href")).toBe("/#/sends/send-1");
    expect(within(answer).getByRole("link", { name: "Event" }).getAttribute("href")).toContain("event=event-13");
    const ours = screen.getByRole("article", { name: "From you" });
    expect(within(ours).getByRole("link", { name: "Send" }).getAttribute("href")).toBe("/#/sends/send-1");
    expect(within(ours).getByText("Read")).toBeTruthy();
  });

  it("offers an answer: a text while the service window is open, a template always", async () => {
    const host = createFakeHost({ templates: 40 });
    renderApp("/inbox?contact=5511990001111", host);
    const note = within(await screen.findByRole("region", { name: "Reply window" }));
    expect(note.getByText(/You can reply freely until/).textContent).toMatch(/\(5 hr\)|\(4 hr 59 min\)/);
    const to = (name: string) => note.getByRole("link", { name }).getAttribute("href");
    expect(to("Reply with text")).toMatch(/#\/sends\/new\?.*to=.*5511990001111/);
    expect(to("Reply with a template")).toMatch(/#\/sends\/new\?to=.*5511990001111/);
  });

  it("says when you can only send templates", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_conversation", () => ({
      messages: MESSAGES.slice(0, 1),
      window: { lastInboundAt: NOW - 3 * 86_400_000, openUntil: NOW - 2 * 86_400_000 },
    }));
    renderApp("/inbox?contact=5511990001111", host);
    const note = within(await screen.findByRole("region", { name: "Reply window" }));
    expect(note.getByText(/you can only send templates/)).toBeTruthy();
    expect(note.queryByRole("link", { name: "Reply with text" })).toBeNull();
  });

  it("fetches older messages, and says why it cannot", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first, second] = MESSAGES.slice(0, 2).map((message) => [message]);
    host.answer("list_conversation", ({ after }) =>
      after == null
        ? { messages: first ?? [], next: "older", window: {} }
        : refusal({ code: "storage", reason: "locked" }),
    );
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    await user.click(await screen.findByRole("button", { name: "Show older messages" }));
    expect(await screen.findByText("locked")).toBeTruthy();
    expect(screen.getByRole("article").textContent).toContain("Is it also available in blue?");
    host.answer("list_conversation", () => ({ messages: second ?? [], window: {} }));
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("My order arrived like this")).toBeTruthy();
  });

  it("names the number where the workspace has several", async () => {
    renderApp("/inbox?contact=5511990001111");
    const reaction = (await screen.findByText("❤️")).closest("article") as HTMLElement;
    expect(within(reaction).getByText("Support")).toBeTruthy();
    const last = screen.getAllByRole("article").at(-1) as HTMLElement;
    expect(within(last).queryByText("Main number")).toBeNull();
  });
});

it.each([
  [5 * 3_600_000, "en", "5 hr"],
  [61_000, "en", "2 min"],
  [23 * 3_600_000 + 1, "pt-BR", "23 h 1 min"],
])("says of %i milliseconds in %s: %s", (ms, language, text) => {
  expect(timeLeft(ms, language)).toBe(text);
});
