import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("a window without room for two columns", () => {
  beforeEach(() => {
    const { matchMedia } = window;
    vi.spyOn(window, "matchMedia").mockImplementation((query) => ({
      ...matchMedia(query),
      matches: /^\(max-width: /.test(query) || query.includes("reduce"),
    }));
  });
  afterEach(() => vi.restoreAllMocks());

  it("shows the contacts, then the conversation with a way back, and the focus follows", async () => {
    const { user } = renderApp("/inbox");
    await user.click(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" }));
    const conversation = await screen.findByRole("region", { name: "Conversation with Maria Souza" });
    expect(screen.queryByRole("grid")).toBeNull();
    expect(screen.getByRole("heading", { level: 1, name: "Inbox" })).toBeTruthy();
    await waitFor(() => expect(conversation.contains(document.activeElement)).toBe(true));
    const field = await screen.findByRole("textbox", { name: "Message to Maria Souza" });
    await user.type(field, "Yes, it is");

    await user.click(within(conversation).getByRole("button", { name: "Back to contacts" }));
    const list = await screen.findByRole("grid", { name: "Contacts" });
    expect(screen.queryByRole("region", { name: /^Conversation/ })).toBeNull();
    expect(document.activeElement).toBe(list);

    await user.keyboard("{Enter}");
    expect(await screen.findByDisplayValue("Yes, it is")).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("grid", { name: "Contacts" })));
  });
});
