import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const option = (name: string) => screen.findByRole<HTMLInputElement>("radio", { name });
const preview = () => within(screen.getByRole("complementary", { name: "Preview" }));

async function open(host = createFakeHost()) {
  const app = renderApp("/templates", host);
  await app.user.click(await screen.findByRole("button", { name: "New template" }));
  await option("Empty template");
  const created = () => app.host.calls.find(({ name }) => name === "create_draft")?.request;
  return { ...app, created };
}

describe("a new template", () => {
  it("begins empty with Enter", async () => {
    const { user, created } = await open();
    await waitFor(async () => expect(document.activeElement).toBe(await option("Empty template")));
    await user.keyboard("{Enter}");
    await screen.findByRole("form", { name: "Template" });
    expect(created()).toEqual({ workspace: "sandbox", edit: false });
  });

  it("is for the account that the list of templates shows", async () => {
    const host = createFakeHost({ templates: 5 });
    host.answer("get_list_views", () => ({ last: { templates: "waba:102290129340411" }, saved: [] }));
    const { user, created } = await open(host);
    await user.click(await screen.findByRole("button", { name: "Start empty" }));
    await screen.findByRole("button", { name: "Account: 102290129340411" });
    expect(created()).toMatchObject({ wabaIds: ["102290129340411"] });
  });

  it("begins empty in the chosen language", async () => {
    const { user, created } = await open();
    await user.click(screen.getByRole("radio", { name: "Português (Brasil)" }));
    await user.click(await screen.findByRole("button", { name: "Start empty" }));
    await screen.findByRole("form", { name: "Template" });
    expect(created()).toEqual({ workspace: "sandbox", language: "pt_BR", edit: false });
  });

  it("shows the message of a starter before it is used, by keyboard alone", async () => {
    const { user, created } = await open();
    await user.keyboard("{ArrowDown}");
    expect((await option("Welcome")).checked).toBe(true);
    expect(preview().getByText(/welcome to our store/)).toBeDefined();
    expect(preview().queryByText("Your business")).toBeNull();
    await user.keyboard("{Enter}");
    await screen.findByRole("form", { name: "Template" });
    expect(created()).toMatchObject({ fromStarter: "welcome", language: "en_US", edit: false });
    expect(await screen.findByDisplayValue("welcome")).toBeDefined();
  });

  it("offers every starter by category and in three languages", async () => {
    const { user } = await open();
    const groups = ["From scratch", "Marketing", "Utility", "Authentication"];
    expect(screen.getAllByRole("group").map((group) => group.querySelector("legend")?.textContent)).toEqual(
      expect.arrayContaining(groups),
    );
    await user.click(screen.getByRole("radio", { name: "Português (Brasil)" }));
    await user.click(await option("Order shipped"));
    expect(preview().getByText(/saiu hoje do nosso depósito/)).toBeDefined();
  });

  it("is not where Back leads from the draft", async () => {
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Start empty" }));
    await screen.findByRole("form", { name: "Template" });
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Templates" })).toBeDefined();
  });
});
