import { createFakeHost } from "@test/fake-host";
import { CONTACTS, conversationPage, MESSAGES, NUMBERS } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ContactRow, ConversationMessage } from "@/bindings/app";

it("marks what arrived since an earlier visit, once the messages are those of now", async () => {
  const host = createFakeHost({ templates: 40 });
  const contact = "447700900123";
  const row = CONTACTS.find((known) => known.contact === contact) as ContactRow;
  const first = { ...(MESSAGES[0] as ConversationMessage), id: "before", text: "From before", at: NOW - 60_000 };
  let answer: (messages: ConversationMessage[]) => void = () => undefined;
  const refreshed = new Promise<ConversationMessage[]>((resolve) => {
    answer = resolve;
  });
  host.answer("list_conversation", ({ contact: of }) =>
    conversationPage({ contact: of, messages: of === contact ? [first] : [] }),
  );
  const { user } = renderApp(`/inbox?contact=${contact}`, host);
  await screen.findByText("From before");
  await user.click(screen.getByRole("row", { name: /^Maria Souza/ }));
  await screen.findByText("No messages with this contact");
  host.answer("list_contacts", () => ({ rows: [{ ...row, unread: 1 }, ...CONTACTS.slice(0, 1)], numbers: NUMBERS }));
  host.answer("list_conversation", async () => conversationPage({ contact, messages: await refreshed }));
  act(() => host.emit({ type: "messageReceived", workspace: "sandbox", contact }));
  await user.click(await screen.findByRole("row", { name: /one unread message/ }));
  const log = await screen.findByRole("log", { name: "Messages" });
  expect(within(log).getByText("From before")).toBeTruthy();
  expect(within(log).queryByText("New messages")).toBeNull();
  answer([{ ...first, id: "since", text: "Since then", at: NOW }, first]);
  await within(log).findByText("New messages");
  const entries = [...(log.querySelector("ol")?.children ?? [])].map(({ textContent }) => textContent ?? "");
  const divider = entries.findIndex((text) => text.includes("New messages"));
  expect(entries[divider - 1]).toContain("From before");
  expect(entries[divider + 1]).toContain("Since then");
});

it("counts a conversation again that is marked as unread, and closes it", async () => {
  const host = createFakeHost({ templates: 40 });
  const { user } = renderApp("/inbox?contact=5511990001111", host);
  expect(await screen.findByRole("row", { name: "Maria Souza", selected: true })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Mark as unread" }));
  expect(await screen.findByRole("row", { name: "Maria Souza, one unread message" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Conversation with Maria Souza" })).toBeNull();
  expect(host.calls.filter(({ name }) => name === "mark_unread")).toHaveLength(1);
});
