import { createFakeHost } from "@test/fake-host";
import { conversationPage, MESSAGES } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { keepDraft } from "./reply-drafts";

/** A conversation with the first of two numbers of ours that have these names, in an open window. */
async function createConversation(labels: [string, string]) {
  const host = createFakeHost({ templates: 40 });
  const open = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
  let number = "108001";
  host.answer("list_conversation", () =>
    conversationPage({ messages: MESSAGES.slice(0, 1), name: "Maria Souza", window: open, number }),
  );
  const sandbox = await host.call("get_workspace", { workspace: "sandbox" });
  const numbers = labels.map((label, n) => ({ id: `10800${n + 1}`, label, wabaId: "", ownWebhook: false }));
  host.answer("get_workspace", () => ({ ...sandbox, settings: { ...sandbox.settings, numbers } }));
  /** The person writes to another number. */
  const writeTo = (other: string) => {
    number = other;
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5511990001111" });
  };
  return { host, open, writeTo };
}

describe("a conversation", () => {
  it("is answered from another number only within the window of that number", async () => {
    const { host, open } = await createConversation(["108001", "108002"]);
    host.answer("get_service_window", ({ number }) => (number === "108001" ? open : { clockOffset: 0 }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    const from = () => screen.getByRole("combobox", { name: "Reply from" });
    const options = async () => {
      await user.click(from());
      return screen.findAllByRole("option", { name: /^From/ });
    };
    await user.click((await options())[1] as HTMLElement);
    expect(await screen.findByText(/has arrived at this number/)).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Message to Maria Souza" })).toBeNull();
    expect(screen.getByRole("link", { name: "Reply with a template" })).toBeTruthy();
    await user.click((await options())[0] as HTMLElement);
    expect(await screen.findByRole("textbox", { name: "Message to Maria Souza" })).toBeTruthy();
  });

  it("is answered from the number for which the reply was begun", async () => {
    const { host, open, writeTo } = await createConversation(["Shop 1", "Shop 2"]);
    host.answer("get_service_window", () => open);
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const field = await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    await user.type(field, "We open at 9");
    writeTo("108002");
    expect(await screen.findByText(/has now written to Shop 2/)).toBeTruthy();
    const from = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Reply from" }).value;
    expect(from()).toBe("From Shop 1");
    await user.click(screen.getByRole("button", { name: "Reply from Shop 2" }));
    expect(from()).toBe("From Shop 2");
    expect(screen.queryByText(/has now written to/)).toBeNull();
  });

  it("is answered in the window that opens when they write to the number that was chosen", async () => {
    const { host, writeTo } = await createConversation(["108001", "108002"]);
    host.answer("get_service_window", () => ({ clockOffset: 0 }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    await user.click(await screen.findByRole("combobox", { name: "Reply from" }));
    await user.click((await screen.findAllByRole("option", { name: /^From/ }))[1] as HTMLElement);
    expect(await screen.findByText(/has arrived at this number/)).toBeTruthy();
    writeTo("108002");
    expect(await screen.findByRole("textbox", { name: "Message to Maria Souza" })).toBeTruthy();
  });

  it("goes on from the number of its first line, and says that a text names another", async () => {
    const { host, open, writeTo } = await createConversation(["Flores", "Clínica"]);
    host.answer("get_service_window", () => open);
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const field = await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    await user.type(field, "We open at 9, the Clínica says");
    expect(screen.getByText("The text names Clínica, but leaves from Flores.")).toBeTruthy();
    writeTo("108002");
    await screen.findByText(/has now written to Clínica/);
    await user.type(field, "{Enter}");
    await waitFor(() => expect(field).toHaveProperty("value", ""));
    expect(screen.getByRole("combobox", { name: "Reply from" })).toHaveProperty("value", "From Flores");
    const sent = host.calls.find(({ name }) => name === "send_text");
    expect(sent?.request).toMatchObject({ number: "108001", form: "reply 5511990001111" });
  });

  it("asks before a text is sent that another message of unknown outcome has", async () => {
    const host = createFakeHost({ templates: 40 });
    const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
    const [message] = MESSAGES;
    if (!message) throw new Error("There are messages");
    const unknown = {
      ...message,
      id: "m",
      outgoing: true,
      kind: "text",
      text: "We open at 9",
      state: "unknown" as const,
    };
    const page = { name: "Maria Souza", window, number: "108001" };
    host.answer("list_conversation", () => conversationPage({ ...page, messages: [unknown] }));
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const sends = () => host.calls.filter(({ name }) => name === "send_text").length;
    const field = await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    await user.type(field, " We open at 9 {Enter}");
    const question = within(await screen.findByRole("dialog", { name: "Send it a second time?" }));
    expect(question.getByText(/the recipient gets it twice/)).toBeTruthy();
    await user.click(question.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect([sends(), field.textContent]).toEqual([0, " We open at 9 "]);
    await user.type(field, "{Enter}");
    await user.click(await screen.findByRole("button", { name: "Send a second message" }));
    await waitFor(() => expect(sends()).toBe(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    host.answer("list_conversation", () =>
      conversationPage({ ...page, messages: [{ ...unknown, state: "delivered" }] }),
    );
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5511990001111" });
    await screen.findByRole("img", { name: "Delivered" });
    await user.type(field, "We open at 9{Enter}");
    await waitFor(() => expect(sends()).toBe(2));
  });

  it("leaves from the number of its draft after a restart", async () => {
    const host = createFakeHost({ templates: 40 });
    const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
    host.answer("list_conversation", () =>
      conversationPage({ messages: MESSAGES.slice(0, 1), name: "Maria Souza", window, number: "108002" }),
    );
    host.answer("get_service_window", () => window);
    keepDraft("sandbox", "5511990001111", "We open at 9", "108001");
    const { user } = renderApp("/inbox?contact=5511990001111", host);
    const field = await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    expect(field).toHaveProperty("value", "We open at 9");
    await user.type(field, "{Enter}");
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "send_text")?.request).toMatchObject({ number: "108001" }),
    );
  });
});
