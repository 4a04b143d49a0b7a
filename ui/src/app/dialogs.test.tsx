import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

it("a double click opens a dialog that stays, and gives the focus back when it closes", async () => {
  const { user } = renderApp("/sends/batches/batch-old");
  const send = await screen.findByRole("button", { name: "Send the remaining 18" });
  await user.click(send);
  await screen.findByRole("dialog", { name: "Send 18 remaining rows?" });
  const backdrop = document.querySelector(".mantine-Modal-overlay") as HTMLElement;
  fireEvent.click(backdrop, { detail: 2 });
  expect(screen.getByRole("dialog")).toBeDefined();
  fireEvent.click(backdrop, { detail: 1 });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(send));
});

it("a dialog that a menu opened gives the focus back to the menu's button", async () => {
  const { user } = renderApp("/drafts/draft-1");
  const menu = await screen.findByRole("button", { name: "More" });
  menu.focus();
  await user.keyboard("{Enter}");
  await user.click(await screen.findByRole("menuitem", { name: "Delete draft" }));
  await screen.findByRole("dialog", { name: "Delete draft" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(menu));
});
