import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

it("opens a conversation, oldest first, and its media outside", async () => {
  const { host, user, container } = renderApp("/inbox");
  await user.click(await screen.findByRole("row", { name: "Maria Souza, 2 unread messages" }));
  const conversation = await screen.findByRole("region", { name: "Conversation with Maria Souza" });
  const messages = await within(conversation).findAllByRole("article");
  expect(messages[0]?.textContent).toContain("invoice-10482.pdf");
  expect(messages.at(-1)?.textContent).toContain("Is it also available in blue?");
  await user.click(within(conversation).getByRole("button", { name: "Open m4.jpg in the browser" }));
  expect(host.calls.find(({ name }) => name === "open_link")?.request).toEqual({ url: "https://media.example/m4.jpg" });
  expect(container.querySelector("img")).toBeNull();
});

it("says why a link cannot be opened", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("open_link", () => refusal({ code: "invalidInput", field: "url", message: "Only https is opened." }));
  const { user } = renderApp("/inbox?contact=5511990001111", host);
  await user.click(await screen.findByRole("button", { name: "Open m4.jpg in the browser" }));
  expect(await screen.findByText(/Only https is opened/)).toBeTruthy();
});

it("explains how messages arrive", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("list_contacts", () => []);
  renderApp("/inbox", host);
  expect(await screen.findByText("Nobody has written yet")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the sandbox phone" })).toBeTruthy();
});
