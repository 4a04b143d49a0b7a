import { createFakeHost } from "@test/fake-host";
import { CONTACTS, NUMBERS } from "@test/fake-inbox";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const list = () => screen.findByRole("grid", { name: "Contacts" });
const go = (name: RegExp) => within(screen.getByRole("navigation", { name: "Main" })).getByRole("link", { name });

async function scroll(to: number) {
  const grid = await list();
  grid.scrollTop = to;
  fireEvent.scroll(grid);
}

describe("the list of contacts", () => {
  it("keeps its filter while other screens are looked at, but not its search or conversation", async () => {
    const { user } = renderApp("/inbox");
    await user.click(await screen.findByRole("checkbox", { name: "Unanswered" }));
    await user.type(screen.getByRole("searchbox", { name: "Search contacts and messages" }), "maria");
    await waitFor(() => expect(window.location.hash).toContain("q=maria"));
    await user.click(await screen.findByRole("row", { name: /^Maria Souza/ }));
    await user.click(go(/^Activity/));
    await screen.findByRole("heading", { name: "Activity" });
    await user.click(go(/^Inbox/));
    await waitFor(() => expect(window.location.hash).toBe("#/inbox?people=unanswered"));
    expect(await screen.findByRole("checkbox", { name: "Unanswered", checked: true })).toBeTruthy();
    // Inbox again shows everything, and that is kept too.
    await user.click(go(/^Inbox/));
    await waitFor(() => expect(window.location.hash).toBe("#/inbox"));
    await user.click(go(/^Activity/));
    await screen.findByRole("heading", { name: "Activity" });
    await user.click(go(/^Inbox/));
    await screen.findByRole("row", { name: /^Maria Souza/ });
    expect(window.location.hash).toBe("#/inbox");
  });

  it("begins at its top with another filter, and is where it was left with the one before", async () => {
    const { user } = renderApp("/inbox");
    await screen.findByRole("row", { name: /^Maria Souza/ });
    await scroll(1_200);
    await user.click(screen.getByRole("checkbox", { name: "Unread" }));
    await waitFor(async () => expect((await list()).scrollTop).toBe(0));
    await user.click(screen.getByRole("checkbox", { name: "Unread" }));
    await waitFor(async () => expect((await list()).scrollTop).toBe(1_200));
  });

  it("begins at its top after new messages arrived while another screen was open", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user } = renderApp("/inbox", host);
    await screen.findByRole("row", { name: /^Maria Souza/ });
    await scroll(1_200);
    const leave = async () => {
      await user.click(go(/^Activity/));
      await waitFor(() => expect(screen.queryByRole("grid", { name: "Contacts" })).toBeNull());
    };
    await leave();
    await user.click(go(/^Inbox/));
    expect((await list()).scrollTop).toBe(1_200);
    await leave();
    const [first, ...rest] = CONTACTS as [(typeof CONTACTS)[number]];
    const newest = { ...first, contact: "5521990001234", name: "Bia", lastAt: first.lastAt + 60_000 };
    host.answer("list_contacts", () => ({ rows: [newest, first, ...rest], numbers: NUMBERS }));
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5521990001234" });
    await user.click(go(/^Inbox/));
    const grid = await list();
    await waitFor(() => expect(grid.scrollTop).toBe(0));
    fireEvent.scroll(grid);
    expect(await screen.findByRole("row", { name: /^Bia/ })).toBeTruthy();
  });
});

describe("a conversation", () => {
  it("is closed by Escape wherever the focus is, but not with what is open over it", async () => {
    const { user } = renderApp("/inbox?contact=5511990001111");
    await screen.findByRole("log", { name: "Messages" });
    (await list()).focus();
    await user.keyboard("{Escape}");
    expect(await screen.findByText("Choose a contact")).toBeTruthy();
    await user.click(await screen.findByRole("row", { name: /^Maria Souza/ }));
    const search = screen.getByRole("searchbox", { name: "Search contacts and messages" });
    await user.type(search, "mar{Escape}");
    expect(search).toHaveProperty("value", "");
    await screen.findByRole("log", { name: "Messages" });
    await user.click(await screen.findByRole("button", { name: "Open in the address book" }));
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByRole("log", { name: "Messages" })).toBeTruthy();
  });
});
