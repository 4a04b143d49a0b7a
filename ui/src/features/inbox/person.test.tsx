import { createFakeHost } from "@test/fake-host";
import { conversationPage, MESSAGES } from "@test/fake-inbox";
import { formatted } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

/** The number of a recipient of the address book, with the labels and the note of that one. */
async function createPerson(parts: { labels: string[]; note: string }) {
  const host = createFakeHost({ templates: 40 });
  const { rows } = await host.call("list_recipients", { workspace: "sandbox" });
  const [known] = rows;
  if (!known) throw new Error("The address book has people");
  const { id, workspace, name, number } = { ...known, name: "Maria Souza" };
  await host.call("save_recipient", { id, workspace, name, number, ...parts });
  host.answer("list_conversation", ({ contact }) =>
    conversationPage({ messages: MESSAGES.slice(0, 1), contact, name: "Maria Souza" }),
  );
  return { host, number };
}

it("shows labels and note of a person, and changes them in place", async () => {
  const { host, number } = await createPerson({ labels: ["vip"], note: "Allergic to lilies" });
  const { user } = renderApp(`/inbox?contact=${number}`, host);
  const head = within(await screen.findByRole("region", { name: "Conversation with Maria Souza" }));
  expect(await head.findByText("vip")).toBeTruthy();
  await user.click(head.getByRole("button", { name: "Note: Allergic to lilies" }));
  const form = within(await screen.findByRole("dialog", { name: "Maria Souza" }));
  await user.clear(form.getByRole("textbox", { name: "Note" }));
  await user.type(form.getByRole("textbox", { name: "Note" }), "Likes roses");
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await head.findByRole("button", { name: "Note: Likes roses" })).toBeTruthy();
  expect(window.location.hash).toContain(`contact=%22${number}`);
  // The form begins with what was saved last.
  await user.click(head.getByRole("button", { name: "Open in the address book" }));
  const again = within(await screen.findByRole("dialog", { name: "Maria Souza" }));
  expect(again.getByRole("textbox", { name: "Note" })).toHaveProperty("value", "Likes roses");
});

it("adds a person who is not in the address book, with the name and number of the conversation", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("list_conversation", ({ contact }) =>
    conversationPage({ messages: MESSAGES.slice(0, 1), contact, name: "Bia" }),
  );
  const { user } = renderApp("/inbox?contact=5511988880000", host);
  await user.click(await screen.findByRole("button", { name: "Open in the address book" }));
  const form = within(await screen.findByRole("dialog", { name: "Add recipient" }));
  expect(form.getByRole("textbox", { name: "Name" })).toHaveProperty("value", "Bia");
  expect(form.getByRole("textbox", { name: /Number/ })).toHaveProperty("value", formatted("5511988880000"));
  await user.click(form.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("log", { name: "Messages" })).toBeTruthy();
});
