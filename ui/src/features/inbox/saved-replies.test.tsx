import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const CONVERSATION = "/inbox?contact=5511990001111";

const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Message to Maria Souza" });
const sent = (host: FakeHost) => host.calls.filter(({ name }) => name === "send_text").map(({ request }) => request);
const selected = (area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd);

async function opened(host = createFakeHost({ templates: 40 })) {
  const app = renderApp(CONVERSATION, host);
  const area = await box();
  await waitFor(() => expect(area.placeholder).toContain("saved reply"));
  return { ...app, area };
}

describe("saved replies by a slash", () => {
  it("are found by their names, and their line breaks, emoji and dashes are inserted as they are", async () => {
    const { user, area, host } = await opened();
    await user.type(area, "/hou");
    const option = await screen.findByRole("option", { name: /^Opening hours/ });
    expect(screen.getAllByRole("option")).toHaveLength(1);
    await user.click(option);
    await waitFor(() => expect(area.value).toBe("We open at 9 ⏰\n\n- Mon\n- Tue"));
    expect(document.activeElement).toBe(area);
    expect(screen.queryByRole("option")).toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent(host)).toMatchObject([{ text: "We open at 9 ⏰\n\n- Mon\n- Tue" }]));
  });

  it("are chosen with Enter, which sends nothing, and Escape keeps what was typed", async () => {
    const { user, area, host } = await opened();
    await user.type(area, "/");
    expect(await screen.findAllByRole("option")).toHaveLength(2);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
    expect(area.value).toBe("/");
    expect(screen.getByRole("region", { name: "Conversation with Maria Souza" })).toBeTruthy();
    await user.clear(area);
    await user.type(area, "/op");
    await screen.findByRole("option", { name: /^Opening hours/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(area.value).toContain("We open at 9"));
    expect(sent(host)).toEqual([]);
  });

  it("are not offered inside of words, after other text, or where none fits", async () => {
    const { user, area, host } = await opened();
    await user.type(area, "and/or https://shop.example/o");
    expect(screen.queryByRole("option")).toBeNull();
    await user.clear(area);
    await user.type(area, "/no such reply :) /)");
    expect(screen.queryByRole("option")).toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent(host)).toMatchObject([{ text: "/no such reply :) /)" }]));
  });

  it("replace only the slash and its word where text follows", async () => {
    const { user, area } = await opened();
    await user.type(area, "See you");
    area.setSelectionRange(0, 0);
    await user.type(area, "/op", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    await user.click(await screen.findByRole("option", { name: /^Opening hours/ }));
    await waitFor(() => expect(area.value).toBe("We open at 9 ⏰\n\n- Mon\n- Tue See you"));
  });
});

describe("saved replies by the button", () => {
  it("are inserted at the caret and lose nothing that was typed", async () => {
    const { user, area } = await opened();
    await user.type(area, "Hello! Bye");
    area.setSelectionRange(6, 6);
    await user.click(screen.getByRole("button", { name: "Saved replies" }));
    await user.type(await screen.findByRole("textbox", { name: "Search saved replies" }), "ord");
    await user.click(await screen.findByRole("option", { name: /^Order/ }));
    await waitFor(() => expect(area.value).toBe("Hello! Hi Maria, {{order}} is on its way. Bye"));
    expect(selected(area)).toBe("{{order}}");
  });

  it("mark a field without a value, which is completed before the message leaves", async () => {
    const { user, area, host } = await opened();
    await user.click(screen.getByRole("button", { name: "Saved replies" }));
    await user.click(await screen.findByRole("option", { name: /^Order/ }));
    const status = await screen.findByText("Complete before you send:");
    area.setSelectionRange(0, 0);
    await user.click(within(status.parentElement as HTMLElement).getByRole("button", { name: "Go to {{order}}" }));
    expect(selected(area)).toBe("{{order}}");
    await user.keyboard("{Control>}{/Control}");
    await user.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByText(/Replace {{order}} with/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Send anyway" })).toBeNull();
    expect(sent(host)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Go to {{order}}" }));
    await user.keyboard("Order 77");
    expect(screen.queryByText("Complete before you send:")).toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent(host)).toMatchObject([{ text: "Hi Maria, Order 77 is on its way." }]));
  });

  it("keep what is typed when one cannot be filled in, and lead to the settings where there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("fill_saved_reply", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user, area } = await opened(host);
    await user.type(area, "/op");
    await user.click(await screen.findByRole("option", { name: /^Opening hours/ }));
    expect(await screen.findByText("the disk is full")).toBeTruthy();
    expect(area.value).toBe("/op");
  });

  it("lead to the settings where there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    const none = { rows: [], fields: [], limit: 200, nameLimit: 60, textLimit: 4096 };
    host.answer("list_saved_replies", () => none);
    const { user } = renderApp(CONVERSATION, host);
    const area = await box();
    await user.type(area, "/");
    expect(screen.queryByRole("option")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Saved replies" }));
    expect(await screen.findByText("No saved replies yet")).toBeTruthy();
    const link = screen.getByRole("link", { name: "Manage saved replies" });
    expect(link.getAttribute("href")).toContain("section=replies");
  });
});
