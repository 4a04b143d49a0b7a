import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const SALE = "5f3b8f0e-0000-4000-8000-000000000000";
const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("the question mark", () => {
  it("opens the list of shortcuts, which can be searched, and Escape closes it", async () => {
    const { user } = renderApp("/review");
    await heading("Review");
    await user.keyboard("{Shift>}?{/Shift}");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(await sheet.findByText("Switch workspace")).toBeDefined();
    await user.type(sheet.getByRole("searchbox", { name: "Search shortcuts" }), "rejected");
    await waitFor(() => expect(sheet.queryByText("Switch workspace")).toBeNull());
    expect(sheet.getByText("Fix a rejected template")).toBeDefined();
    await user.keyboard("{Escape}{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull());
  });

  it("begins with the focus in the search", async () => {
    const { user } = renderApp("/review");
    await heading("Review");
    await user.keyboard("{Shift>}?{/Shift}");
    const search = await screen.findByRole("searchbox", { name: "Search shortcuts" });
    await waitFor(() => expect(document.activeElement).toBe(search));
  });

  it("is a letter like others in a field", async () => {
    const { user } = renderApp("/templates");
    await user.click(await screen.findByRole("searchbox", { name: "Search names and texts" }));
    await user.keyboard("{Shift>}?{/Shift}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("a shortcut", () => {
  const openSheet = async () => {
    const app = renderApp("/review");
    await heading("Review");
    await app.user.keyboard("{Shift>}?{/Shift}");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    const record = async (name: string, keys: string) => {
      await app.user.click(sheet.getByRole("button", { name: `Change the keys for “${name}”` }));
      await app.user.keyboard(keys);
    };
    const saved = () => app.host.calls.filter(({ name }) => name === "save_preferences").at(-1)?.request;
    return { ...app, sheet, record, saved };
  };

  it("works with other keys once it was changed, and again with its own after a reset", async () => {
    const { user, sheet, record, saved } = await openSheet();
    await record("New template", "{Control>}{Shift>}n{/Shift}{/Control}");
    await waitFor(() => expect(saved()).toMatchObject({ shortcuts: { newTemplate: "mod+shift+n" } }));
    await sheet.findByText("“New template” is now Ctrl+Shift+N.");
    await user.click(await sheet.findByRole("button", { name: "Reset the keys for “New template”" }));
    await waitFor(() => expect(saved()).toMatchObject({ shortcuts: {} }));
    await record("New template", "{Control>}{Shift>}n{/Shift}{/Control}");
    await waitFor(() => expect(saved()).toMatchObject({ shortcuts: { newTemplate: "mod+shift+n" } }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Control>}n{/Control}");
    expect(await heading("Review")).toBeDefined();
    await user.keyboard("{Control>}{Shift>}n{/Shift}{/Control}");
    expect(await heading("New template")).toBeDefined();
    await user.keyboard("{Escape}");
    expect(await heading("Review")).toBeDefined();
  });

  it.each([
    ["{Control>}k{/Control}", "Ctrl+K is already used for “Search and commands”."],
    ["{Control>}c{/Control}", "Ctrl+C is used by the system"],
    ["n", "N would be typed in a field."],
  ])("refuses %s with the reason", async (keys, reason) => {
    const { sheet, record, saved } = await openSheet();
    await record("New template", keys);
    expect((await sheet.findByRole("alert")).textContent).toContain(reason);
    expect(saved()).toBeUndefined();
  });

  it("keeps its keys after Escape, which leaves the list open", async () => {
    const { sheet, record, saved } = await openSheet();
    await record("Bold", "{Escape}");
    await waitFor(() => expect(sheet.queryByText("Press the new keys")).toBeNull());
    expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeDefined();
    expect(saved()).toBeUndefined();
  });
});

describe("Escape", () => {
  it("leaves a template for where one came from", async () => {
    const { user } = renderApp("/review");
    await user.click((await screen.findAllByRole("link", { name: "summer_sale_2026" }))[0] as HTMLElement);
    await heading("summer_sale_2026");
    await user.keyboard("{Escape}");
    expect(await heading("Review")).toBeDefined();
  });

  it("leaves a template that the window began with for the list", async () => {
    const { user } = renderApp(`/templates/${SALE}`);
    await heading("summer_sale_2026");
    await user.keyboard("{Escape}");
    expect(await heading("Templates")).toBeDefined();
  });

  it("closes a menu or a dialog and stays", async () => {
    const { user } = renderApp(`/templates/${SALE}`);
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(await heading("summer_sale_2026")).toBeDefined();
  });

  it("stays on a list", async () => {
    const { user } = renderApp("/sends");
    await heading("Sends");
    await user.keyboard("{Escape}");
    expect(window.location.hash).toBe("#/sends");
  });
});

it("a new template is one shortcut away", async () => {
  const { user } = renderApp("/review");
  await heading("Review");
  await user.keyboard("{Control>}n{/Control}");
  expect(await heading("New template")).toBeDefined();
});

describe("the rail", () => {
  it("counts unread conversations, and none once they were read", async () => {
    const host = createFakeHost({ templates: 3 });
    let contacts = 2;
    host.answer("count_unread", () => ({ contacts }));
    renderApp("/templates", host);
    const inbox = await screen.findByRole("link", { name: "Inbox, 2 unread conversations" });
    expect(within(inbox).getByText("2")).toBeDefined();
    contacts = 0;
    host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5511987654321" });
    expect(await screen.findByRole("link", { name: "Inbox" })).toBeDefined();
  });

  it("shows no address: that of the receiver is not the one a workspace gives to its provider", async () => {
    renderApp("/templates");
    const receiver = await screen.findByRole("link", { name: "Receiving webhooks" });
    expect(receiver.textContent).not.toContain("127.0.0.1");
  });
});
