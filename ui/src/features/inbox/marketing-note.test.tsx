import { createFakeHost } from "@test/fake-host";
import { conversationPage } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "@/bindings/app";

describe("the note above a conversation", () => {
  it("notes that a person wants no marketing, and takes the note back", async () => {
    const { host, user } = renderApp("/inbox?contact=5511990001111");
    await user.click(await screen.findByRole("button", { name: "Stop marketing" }));
    expect(await screen.findByText(/No marketing messages, noted here:/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Allow again" }));
    expect(await screen.findByRole("button", { name: "Stop marketing" })).toBeTruthy();
    const notes = host.calls.filter(({ name }) => name === "note_marketing").map(({ request }) => request);
    expect(notes).toMatchObject([
      { isStopped: true, number: "108001" },
      { isStopped: false, number: "108001" },
    ]);
    expect(screen.queryByText(/No marketing messages/)).toBeNull();
  });

  it("does not undo itself with the second click of a double click", async () => {
    const { host } = renderApp("/inbox?contact=5511990001111");
    fireEvent.click(await screen.findByRole("button", { name: "Stop marketing" }), { detail: 1 });
    fireEvent.click(await screen.findByRole("button", { name: "Allow again" }), { detail: 2 });
    expect(host.calls.filter(({ name }) => name === "note_marketing")).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Allow again" }), { detail: 1 });
    expect(await screen.findByRole("button", { name: "Stop marketing" })).toBeTruthy();
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }), { detail: 1 });
    expect(await screen.findByText(/No marketing messages, noted here:/)).toBeTruthy();
  });

  it("offers to note what may be a wish to stop marketing, beside the message", async () => {
    const host = createFakeHost({ templates: 40 });
    const text = "pare de me mandar isso";
    const wish: ConversationMessage = {
      id: "wamid.wish",
      outgoing: false,
      at: NOW,
      kind: "text",
      text,
      facts: [],
      reactions: [],
      mayWantToStop: true,
    };
    host.answer("list_conversation", () => ({
      ...conversationPage({ contact: "5511990001111", canReply: true }),
      messages: [wish],
      number: "108001",
    }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const hint = within(await screen.findByRole("note"));
    expect(hint.getByText("This may be a wish to stop marketing.")).toBeTruthy();
    await user.click(hint.getByRole("button", { name: "Stop marketing" }));
    const noted = host.calls.filter(({ name }) => name === "note_marketing").map(({ request }) => request);
    expect(noted).toMatchObject([{ contact: "5511990001111", number: "108001", isStopped: true }]);
  });

  it("notes a wish for the business that it was written to, not for that of the last message", async () => {
    const host = createFakeHost({ templates: 40 });
    const wish: ConversationMessage = {
      id: "wamid.wish",
      outgoing: false,
      at: NOW,
      kind: "text",
      text: "pare de me mandar isso",
      facts: [],
      reactions: [],
      mayWantToStop: true,
      numberId: "108002",
    };
    const page = conversationPage({ messages: [wish], number: "108001", marketingAccounts: "Ipê Flores" });
    host.answer("list_conversation", () => page);
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const hint = within(await screen.findByRole("note"));
    expect(screen.getByRole("button", { name: "Stop marketing from Ipê Flores" })).toBeTruthy();
    await user.click(hint.getByRole("button", { name: "Stop marketing" }));
    const noted = host.calls.filter(({ name }) => name === "note_marketing").map(({ request }) => request);
    expect(noted).toMatchObject([{ number: "108002", isStopped: true }]);
  });

  it("is about the business of the number whose conversations are listed", async () => {
    const { host, user } = renderApp("/inbox?contact=5511990001111&number=108002");
    await user.click(await screen.findByRole("button", { name: "Stop marketing" }));
    expect(host.calls.find(({ name }) => name === "note_marketing")?.request).toMatchObject({
      number: "108002",
      isStopped: true,
    });
  });

  it("lists what the person stopped of every business, each with its own way back", async () => {
    const host = createFakeHost({ templates: 40 });
    const note = { since: NOW, source: "note", accounts: "Clínica Aurora" } as const;
    const otherStops = [{ stop: note, number: "108002", waba: "300" }];
    host.answer("list_conversation", () =>
      conversationPage({ number: "108001", marketingAccounts: "Ipê Flores", otherStops }),
    );
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    expect(await screen.findByText(/^No marketing messages, noted here:.* · only Clínica Aurora$/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Stop marketing from Ipê Flores" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Allow again" }));
    const noted = host.calls.filter(({ name }) => name === "note_marketing").map(({ request }) => request);
    expect(noted).toMatchObject([{ number: "108002", waba: "300", isStopped: false }]);
  });

  it("asks before it takes back what a person wrote", async () => {
    const host = createFakeHost({ templates: 40 });
    const marketingStop = { since: NOW, source: "reply", accounts: null } as const;
    host.answer("list_conversation", () =>
      conversationPage({ contact: "5511990001111", canReply: true, marketingStop }),
    );
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const noted = () => host.calls.filter(({ name }) => name === "note_marketing");
    await user.click(await screen.findByRole("button", { name: "Allow again" }));
    const dialog = within(await screen.findByRole("dialog", { name: /^Allow marketing to .* again\?$/ }));
    expect(dialog.getByText(/stopped marketing with a reply on/)).toBeTruthy();
    expect(noted()).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Allow again" }));
    expect(noted()).toMatchObject([{ request: { isStopped: false } }]);
  });

  it("says why a person still gets no marketing once a note is taken back", async () => {
    const host = createFakeHost({ templates: 40 });
    const note = { since: NOW, source: "note", accounts: null } as const;
    host.answer("list_conversation", () =>
      conversationPage({ contact: "5511990001111", canReply: true, marketingStop: note }),
    );
    const stops = [
      { since: NOW, source: "preference", accounts: "Events" },
      { since: NOW, source: "reply", accounts: null },
    ] as const;
    host.answer("note_marketing", () => ({ stops: [...stops] }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    await user.click(await screen.findByRole("button", { name: "Allow again" }));
    const toast = await screen.findByText(/still gets no marketing messages/);
    expect(toast.textContent).toMatch(
      /Stopped in WhatsApp \(Only Events\) · Replied with an opt-out word \(All numbers\)$/,
    );
    expect(screen.queryByText(/gets marketing messages again/)).toBeNull();
  });

  it("leaves the choice of a person who stopped marketing to them", async () => {
    const host = createFakeHost({ templates: 40 });
    const marketingStop = { since: NOW, source: "preference", accounts: "Main number, Events" } as const;
    const page = { contact: "5511990001111", canReply: true, marketingStop };
    host.answer("list_conversation", () => conversationPage(page));
    renderApp("/inbox?contact=5511990001111", host);
    expect(
      await screen.findByText(
        /^Stopped marketing messages:.* · only Main number, Events · only they can resume, in WhatsApp$/,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Allow again|Stop marketing/ })).toBeNull();
  });
});
