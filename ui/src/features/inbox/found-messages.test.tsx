import { createFakeHost } from "@test/fake-host";
import { conversationPage, MESSAGES } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

it("finds words in messages that were sent, and leads to the message", async () => {
  const host = createFakeHost({ templates: 40 });
  const found = { contact: "5511990001111", formatted: "+55 11 99000-1111", at: NOW };
  const first = { ...found, send: "send-1", name: "Maria Souza", excerpt: "…a dozen girassóis" };
  const second = { ...found, send: "send-0", name: "", excerpt: "Girassóis again" };
  host.answer("list_events", () => ({ rows: [], behind: 0 }));
  host.answer("find_sent_messages", ({ search, after }) => {
    if (search !== "girassois") return { rows: [] };
    return after == null ? { rows: [first], next: "1" } : { rows: [second] };
  });
  host.answer("list_conversation", () => conversationPage({ messages: MESSAGES, name: "Maria Souza" }));
  const { user } = renderApp("/inbox", host);
  await user.type(await screen.findByRole("searchbox", { name: "Search contacts and messages" }), "girassois");
  const sent = within(await screen.findByRole("region", { name: "In messages you sent" }));
  expect(screen.queryByRole("region", { name: "In received messages" })).toBeNull();
  await user.click(sent.getByRole("button", { name: "Search older messages" }));
  await sent.findByRole("link", { name: /99000-1111.*Girassóis again/ });
  await user.click(sent.getByRole("link", { name: /Maria Souza.*a dozen girassóis/ }));
  await waitFor(() => expect(window.location.hash).toContain("message=send-1"));
  const log = await screen.findByRole("log", { name: "Messages" });
  await waitFor(() => expect(log.querySelector("[data-found]")?.textContent).toContain("Our summer sale is on"));
});

it("is not asked for other words where a number has no contacts", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("list_contacts", () => ({ rows: [], next: null }) as never);
  renderApp("/inbox?number=108002", host);
  expect(await screen.findByText(/^No conversation fits the filters\./)).toBeTruthy();
});
