import { createFakeHost, refusal } from "@test/fake-host";
import { CONTACTS, conversationPage, MESSAGES, NUMBERS } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { ConversationMessage, SendRow } from "@/bindings/app";
import { timeLeft } from "./window-note";

const FAILURE = { code: "131047", known: true, retry: "no" as const, message: "Re-engagement message" };

const names = () => screen.getAllByRole("row").map((row) => row.getAttribute("aria-label"));

describe("contacts", () => {
  it("are searched by name and number, in the address", async () => {
    const { host, user } = renderApp("/inbox");
    await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" });
    await user.type(screen.getByRole("searchbox", { name: "Search contacts and messages" }), "447700");
    await waitFor(() => expect(names()).toEqual(["+447700900123"]));
    expect(window.location.hash).toContain("q=");
    await user.clear(screen.getByRole("searchbox"));
    await user.type(screen.getByRole("searchbox"), "nobody like this");
    expect(await screen.findByText("No contacts found")).toBeTruthy();
    expect(host.calls.findLast(({ name }) => name === "list_contacts")?.request).toMatchObject({
      search: "nobody like this",
      after: null,
    });
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
    await waitFor(() => expect(names()).not.toContain("+447700900123"));
    expect(window.location.hash).toContain("unread=only");
    await user.click(screen.getByRole("row", { name: "Maria Souza, 2 unread messages" }));
    await waitFor(() => expect(names().some((name) => name?.startsWith("Maria"))).toBe(false));
    expect(screen.getByRole("region", { name: "Conversation with Maria Souza" })).toBeTruthy();
  });

  it("are those of people who wrote, unless everybody is asked for", async () => {
    const { user } = renderApp("/inbox");
    await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" });
    expect(names()).not.toContain("Dora Prado");
    await user.click(screen.getByRole("checkbox", { name: "Everyone you messaged" }));
    expect(await screen.findByRole("row", { name: "Dora Prado" })).toBeTruthy();
    expect(window.location.hash).toContain("people=everyone");
    await user.click(screen.getByRole("checkbox", { name: "Everyone you messaged" }));
    await waitFor(() => expect(names()).not.toContain("Dora Prado"));
    await user.type(screen.getByRole("searchbox", { name: "Search contacts and messages" }), "dora");
    expect(await screen.findByRole("row", { name: "Dora Prado" })).toBeTruthy();
  });

  it("are narrowed to those who wait for an answer, instead of everybody", async () => {
    const { user } = renderApp("/inbox?people=everyone");
    expect(await screen.findByRole("row", { name: "Dora Prado" })).toBeTruthy();
    await user.click(screen.getByRole("checkbox", { name: "Unanswered" }));
    await waitFor(() => expect(names()).not.toContain("Dora Prado"));
    expect(names()).not.toContain("Ana Lima");
    expect(names()).toContain("Maria Souza, 2 unread messages");
    expect(window.location.hash).toContain("people=unanswered");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Everyone you messaged" }).checked).toBe(false);
  });

  it("of which none has written yet offer everyone who was messaged, and keep the one that is open", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first] = CONTACTS;
    host.answer("list_contacts", ({ people }) => ({
      rows: people === "wrote" ? [] : ([first] as typeof CONTACTS),
      next: null,
      numbers: [],
    }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    expect(await screen.findByText("No conversations yet")).toBeTruthy();
    expect(screen.queryByText("No contacts found")).toBeNull();
    await user.click(screen.getByRole("link", { name: "Show everyone you messaged" }));
    expect(await screen.findByRole("row", { name: /^Maria Souza/, selected: true })).toBeTruthy();
    expect(window.location.hash).toContain("contact=");
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

  it("show what was said last by either side, and how far ours came", async () => {
    const host = createFakeHost({ templates: 40 });
    const [maria] = CONTACTS as [(typeof CONTACTS)[number]];
    host.answer("list_contacts", () => ({
      rows: [{ ...maria, unread: 0, outgoing: true, state: "read", lastKind: "template", excerpt: "Our sale is on" }],
      numbers: [],
    }));
    renderApp("/inbox", host);
    const row = within(await screen.findByRole("row", { name: "Maria Souza" }));
    expect(row.getByText("Our sale is on")).toBeTruthy();
    expect(row.getByRole("img", { name: "Read" })).toBeTruthy();
    expect(row.getByText("MS")).toBeTruthy();
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

  it("finds words in received messages, and opens the conversation of one", async () => {
    const host = createFakeHost({ templates: 40 });
    const [seen, at] = [{ receivedAt: NOW }, new Date(2020, 4, 17).getTime()];
    const message = { id: "9", seq: 9, ...seen, at, kind: "message", field: "messages", workspace: "sandbox" };
    const found = { subject: "", summary: "Is it also available in blue?", contact: "5511990001111", deliveries: 1 };
    const older = { ...message, ...found, id: "older", subject: "+55 11 98888-7777", summary: "The blue one" };
    host.answer("list_events", ({ search, after }) => {
      if (search !== "blue") return { rows: [], behind: 0 };
      if (after === "7") return { rows: [older], behind: 0 };
      return { rows: [{ ...message, ...found, contactName: "Maria Souza" }], next: "7", behind: 0 };
    });
    const { user } = renderApp("/inbox", host);
    await user.type(await screen.findByRole("searchbox", { name: "Search contacts and messages" }), "blue");
    const messages = within(await screen.findByRole("region", { name: "In received messages" }));
    await user.click(messages.getByRole("button", { name: "Search older messages" }));
    await messages.findByRole("link", { name: /98888-7777.*The blue one/ });
    expect(messages.queryByRole("button")).toBeNull();
    await user.click(messages.getByRole("link", { name: /Maria Souza.*2020.*available in blue/ }));
    await waitFor(() => expect(window.location.hash).toContain("contact=%225511990001111%22"));
    expect(window.location.hash).toContain("q=blue");
    await user.type(screen.getByRole("searchbox"), "berry");
    await waitFor(() => expect(screen.queryByRole("region", { name: "In received messages" })).toBeNull());
    expect(host.calls.findLast(({ name }) => name === "list_events")?.request).toMatchObject({ kind: "message" });
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

  it("shows the username of a person who hides the number, and no way to send to them", async () => {
    const host = createFakeHost({ templates: 40 });
    const page = { contact: "BR.1", canReply: false, name: "Maria Souza", username: "maria.flowers" };
    const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
    host.answer("list_conversation", () => conversationPage({ ...page, formatted: "BR.1", window }));
    renderApp("/inbox?contact=BR.1", host);
    expect(await screen.findByText("BR.1 · @maria.flowers")).toBeTruthy();
    const note = within(screen.getByRole("region", { name: "Reply" }));
    expect(note.getByText(/hides this person's phone number/)).toBeTruthy();
    expect(note.queryByText(/You can reply freely/)).toBeNull();
    expect(note.queryByRole("textbox")).toBeNull();
    expect(note.getByText(/turn on “Send to user IDs”/)).toBeTruthy();
    expect(note.getByRole("link", { name: "Open settings" }).getAttribute("href")).toContain("section=workspace");
    expect(note.queryByRole("link", { name: "Reply with a template" })).toBeNull();
    expect(host.calls.some(({ name }) => name === "preview_text")).toBe(false);
  });

  it("answers a person who hides the number by the user ID, where the provider takes it", async () => {
    const host = createFakeHost({ templates: 40 });
    const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
    host.answer("list_conversation", () =>
      conversationPage({ contact: "BR.1", name: "Maria Souza", number: "108001", window }),
    );
    const { user } = renderApp("/inbox?contact=BR.1", host);
    await user.type(await screen.findByRole("textbox", { name: "Message to Maria Souza" }), "Hello{Enter}");
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "send_text")?.request).toMatchObject({ to: "BR.1", text: "Hello" }),
    );
    const link = screen.getByRole("link", { name: "Reply with a template" });
    expect(link.getAttribute("href")).toContain("to=BR.1");
  });

  it("stays unread while nobody looks at the window, and is read once somebody does", async () => {
    const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    const { host, user } = renderApp("/inbox");
    await user.click(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" }));
    await screen.findByRole("log", { name: "Messages" });
    const fetched = () => host.calls.filter(({ name }) => name === "list_conversation").length;
    const before = fetched();
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5511990001111" });
    await waitFor(() => expect(fetched()).toBeGreaterThan(before));
    const isRead = () => host.calls.some(({ name }) => name === "mark_read");
    // The focus alone is not enough either.
    hasFocus.mockReturnValue(true);
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(isRead()).toBe(false);
    expect(screen.getByRole("row", { name: "Maria Souza, 2 unread messages" })).toBeTruthy();

    visibility.mockReturnValue("visible");
    act(() => void window.dispatchEvent(new Event("focus")));
    await waitFor(() => expect(isRead()).toBe(true));
    expect(await screen.findByRole("row", { name: "Maria Souza" })).toBeTruthy();
    vi.restoreAllMocks();
  });

  it("is marked as read once, and again where that failed", async () => {
    const host = createFakeHost({ templates: 40 });
    const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(true);
    const marks = () => host.calls.filter(({ name }) => name === "mark_read").length;
    const returnTo = async () => {
      for (const focus of [false, true]) {
        hasFocus.mockReturnValue(focus);
        await act(async () => void window.dispatchEvent(new Event(focus ? "focus" : "blur")));
      }
    };
    host.answer("mark_read", () => refusal({ code: "storage", reason: "the disk is full" }));
    renderApp("/inbox?contact=5511990001111", host);
    await waitFor(() => expect(marks()).toBe(1));
    host.answer("mark_read", () => ({}));
    await returnTo();
    await waitFor(() => expect(marks()).toBe(2));
    await returnTo();
    await returnTo();
    expect(marks()).toBe(2);
    vi.restoreAllMocks();
  });

  it("moves with a person who has another identifier now, with the reply that was begun", async () => {
    const host = createFakeHost({ templates: 40 });
    const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
    const page = { messages: MESSAGES.slice(0, 1), name: "Maria Souza", window };
    host.answer("list_conversation", () => conversationPage({ ...page, contact: "BR.1", number: "108001" }));
    const { user } = renderApp("/inbox?contact=BR.1", host);
    const text = () => screen.findByRole("textbox", { name: "Message to Maria Souza" });
    await user.type(await text(), "Half a sentence");
    host.answer("list_conversation", () => conversationPage({ ...page, contact: "5511990001111", number: "108001" }));
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "BR.1" });
    await waitFor(() => expect(location.hash).toContain("contact=%225511990001111%22"));
    expect(screen.getByRole("row", { name: /^Maria Souza/, selected: true })).toBeTruthy();
    await waitFor(async () => expect(await text()).toHaveProperty("value", "Half a sentence"));
    await user.type(await text(), "{Enter}");
    const sent = () => host.calls.find(({ name }) => name === "send_text")?.request;
    await waitFor(() => expect(sent()).toMatchObject({ to: "+5511990001111" }));
  });

  it("shows a template as its reader saw it, and a tap as the text of its button with what it answers", async () => {
    const { user } = renderApp("/inbox?contact=5511990001111");
    const ours = await screen.findByRole("article", { name: "From you" });
    expect(ours.textContent).toContain("Summer saleHello Maria! Our summer sale is on");
    expect(
      within(within(ours).getByRole("list", { name: "Buttons of the message" })).getByText("Remind me later"),
    ).toBeTruthy();
    expect(within(ours).getByRole("img", { name: "Read" })).toBeTruthy();
    const tap = screen
      .getAllByRole("article", { name: "From Maria Souza" })
      .find(({ textContent }) => textContent?.includes("Remind me later")) as HTMLElement;
    expect(within(tap).getByText("Hello Maria! Our summer sale is on")).toBeTruthy();
    expect(within(tap).queryByText("remind")).toBeNull();
    await user.click(within(tap).getByRole("button", { name: /^You/ }));
    expect(document.activeElement?.contains(ours)).toBe(true);
    await user.click(within(tap).getByRole("button", { name: "Message options" }));
    expect((await screen.findByRole("menuitem", { name: "Open event" })).getAttribute("href")).toContain(
      "event=event-13",
    );
    expect(screen.getByText("remind")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(window.location.hash).toContain("contact=");
    await user.click(within(ours).getByRole("button", { name: "Message options" }));
    expect((await screen.findByRole("menuitem", { name: "Open send" })).getAttribute("href")).toBe("/#/sends/send-1");
    expect(screen.getByRole("menuitem", { name: "Open template summer_sale_2026" })).toBeTruthy();
  });

  it("says why a message did not arrive", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_conversation", () =>
      conversationPage({
        messages: [{ ...(MESSAGES[0] as ConversationMessage), outgoing: true, state: "failed", error: FAILURE }],
      }),
    );
    renderApp("/inbox?contact=5511990001111", host);
    const ours = within(await screen.findByRole("article", { name: "From you" }));
    expect(ours.getByRole("img", { name: "Failed" })).toBeTruthy();
    expect(ours.getByText("Why, and what to do")).toBeTruthy();
    expect(ours.getAllByText(/service window|24 hours/i).length).toBeGreaterThan(0);
  });

  it("says that the outcome of a message is not known, and what to do", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_conversation", () =>
      conversationPage({ messages: [{ ...(MESSAGES[0] as ConversationMessage), outgoing: true, state: "unknown" }] }),
    );
    renderApp("/inbox?contact=5511990001111", host);
    const ours = within(await screen.findByRole("article", { name: "From you" }));
    expect(ours.getByText("Outcome unknown")).toBeTruthy();
    expect(ours.getByText(/Check with the contact before you send it again/)).toBeTruthy();
    expect(ours.queryByText("Why, and what to do")).toBeNull();
  });

  it("is closed by Escape, back to the list", async () => {
    const { user } = renderApp("/inbox?contact=5511990001111");
    await user.type(await screen.findByRole("textbox", { name: "Message to Maria Souza" }), "{Escape}");
    expect(await screen.findByText("Choose a contact")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("grid", { name: "Contacts" }));
  });

  it("fetches older messages, and says why it cannot", async () => {
    const host = createFakeHost({ templates: 40 });
    const [first, second] = MESSAGES.slice(0, 2).map((message) => [message]);
    host.answer("list_conversation", ({ after }) =>
      after == null
        ? conversationPage({ messages: first ?? [], next: "older" })
        : refusal({ code: "storage", reason: "locked" }),
    );
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    await user.click(await screen.findByRole("button", { name: "Show older messages" }));
    expect(await screen.findByText("locked")).toBeTruthy();
    expect(screen.getByRole("article").textContent).toContain("Is it also available in blue?");
    host.answer("list_conversation", () => conversationPage({ messages: second ?? [] }));
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

describe("a reply", () => {
  const MARIA = "/inbox?contact=5511990001111";
  const box = () => screen.findByRole("textbox", { name: "Message to Maria Souza" });

  it("is sent in place: pending at once, then as the host lists it", async () => {
    const host = createFakeHost({ templates: 40 });
    let answer: ((row: SendRow) => void) | undefined;
    host.answer("send_text", () => new Promise<SendRow>((resolve) => (answer = resolve)));
    const { user } = renderApp(MARIA, host);
    const note = within(await screen.findByRole("region", { name: "Reply" }));
    expect(note.getByText(/You can reply freely until/).textContent).toMatch(/\((5 hr|4 hr 59 min)\)/);
    await user.type(await box(), "Yes, from Monday{Enter}");
    const pending = (await screen.findByText("Yes, from Monday", { selector: "p" })).closest("article") as HTMLElement;
    expect(within(pending).getByRole("img", { name: "Sending" })).toBeTruthy();
    expect((await box()).textContent).toBe("");
    expect(document.activeElement).toBe(await box());
    await waitFor(() => expect(answer).toBeTruthy());
    expect(host.calls.find(({ name }) => name === "send_text")?.request).toMatchObject({
      to: "+5511990001111",
      number: "108001",
      text: "Yes, from Monday",
      overrides: [],
    });
    const sent: ConversationMessage = {
      ...(MESSAGES[0] as ConversationMessage),
      id: "sent",
      outgoing: true,
      text: "Yes, from Monday",
      reactions: [],
      state: "delivered",
      send: "send-9",
    };
    host.answer("list_conversation", () =>
      conversationPage({
        messages: [sent, ...MESSAGES],
        name: "Maria Souza",
      }),
    );
    answer?.({ id: "send-9" } as SendRow);
    await waitFor(() => expect(screen.queryByRole("img", { name: "Sending" })).toBeNull());
    expect(screen.getAllByText("Yes, from Monday")).toHaveLength(1);
    expect(screen.getByRole("img", { name: "Delivered" })).toBeTruthy();
    expect(window.location.hash).toContain("contact=");
  });

  it("is kept while another conversation is looked at, and comes back when it could not be sent", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("send_text", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user } = renderApp(MARIA, host);
    await user.type(await box(), "Half a");
    await user.click(screen.getByRole("row", { name: "+447700900123" }));
    expect(await screen.findByRole("textbox", { name: "Message to +447700900123" })).toHaveProperty("value", "");
    expect(screen.getByRole("row", { name: /^Maria Souza/ }).textContent).toContain("Draft:Half a");
    await user.click(screen.getByRole("row", { name: /^Maria Souza/ }));
    expect(await box()).toHaveProperty("value", "Half a");
    await user.type(await box(), " sentence{Enter}");
    expect(await screen.findByText("the disk is full")).toBeTruthy();
    expect(await box()).toHaveProperty("value", "Half a sentence");
    expect(screen.queryByRole("img", { name: "Sending" })).toBeNull();
    await user.clear(await box());
  });

  it("shows its length once that is near the limit of the host", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("preview_text", () => ({
      payload: "",
      curl: "",
      bubble: { body: [], buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] },
      problems: [],
      recipient: { countryAssumed: false },
      textLimit: 10,
    }));
    const { user } = renderApp(MARIA, host);
    await user.type(await box(), "12345678");
    expect(screen.queryByLabelText(/of 10 characters/)).toBeNull();
    await user.type(await box(), "9");
    expect((await screen.findByLabelText("9 of 10 characters")).dataset.near).toBe("true");
    await user.type(await box(), "🌷1");
    expect(screen.getByLabelText("11 of 10 characters").dataset.over).toBe("true");
    expect((await box()).getAttribute("aria-invalid")).toBe("true");
    await user.clear(await box());
  });

  it("waits for an answer about a warning, and is not sent with an error", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user } = renderApp(MARIA, host);
    await user.type(await box(), "Hello");
    const problem = (severity: "error" | "warning") =>
      host.answer("preview_text", () => ({
        payload: "",
        curl: "",
        bubble: { body: [], buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] },
        recipient: { countryAssumed: false },
        problems: [{ code: "text.windowClosed", field: "text", severity, values: {}, message: "closed" }],
      }));
    const sends = () => host.calls.filter(({ name }) => name === "send_text");
    problem("error");
    await user.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Send anyway" })).toBeNull();
    problem("warning");
    await user.click(screen.getByRole("button", { name: "Send" }));
    await user.click(await screen.findByRole("button", { name: "Send anyway" }));
    await waitFor(() => expect(sends()).toHaveLength(1));
    expect(sends()[0]?.request).toMatchObject({ overrides: ["text.windowClosed"] });
  });

  it("is a template outside the reply window", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_conversation", () =>
      conversationPage({
        messages: MESSAGES.slice(0, 1),
        window: { lastInboundAt: NOW - 3 * 86_400_000, openUntil: NOW - 2 * 86_400_000, clockOffset: 0 },
        name: "Maria Souza",
        number: "108002",
      }),
    );
    renderApp(MARIA, host);
    const note = within(await screen.findByRole("region", { name: "Reply" }));
    expect(note.getByText("Only templates arrive now")).toBeTruthy();
    expect(note.getByRole("link", { name: "Reply with a template" }).getAttribute("href")).toMatch(
      /#\/sends\/new\?to=.*5511990001111.*&number=.*108002/,
    );
    expect(note.queryByRole("textbox")).toBeNull();
  });
});

it.each([
  [5 * 3_600_000, "en", "5 hr"],
  [119_000, "en", "1 min"],
  [1_000, "en", "1 min"],
  [23 * 3_600_000 + 61_000, "pt-BR", "23 h 1 min"],
])("says of %i milliseconds in %s: %s", (ms, language, text) => {
  expect(timeLeft(ms, language)).toBe(text);
});
