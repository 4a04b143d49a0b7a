import { renderApp } from "@test/render-app";
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { forgetDraft } from "./draft";

const NEW = "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000";

beforeEach(() => forgetDraft("sandbox"));

/** The choices of the format of the first column that is a text. */
async function formats(user: UserEvent) {
  const [format] = await screen.findAllByRole<HTMLInputElement>("combobox", { name: /^Format/ });
  await user.click(format as HTMLElement);
  await screen.findByRole("option", { name: "Names in title case" });
  return screen.getAllByRole("option").map(({ textContent }) => textContent);
}

it("leaves the values of a file as in the file", async () => {
  const { user } = renderApp(NEW);
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await screen.findByRole("button", { name: "Choose a CSV file…" }));
  await screen.findByText("customers.csv");
  expect((await formats(user))[0]).toBe("As in the file");
});

it("leaves the values of the address book unchanged, where there is no file", async () => {
  const { user } = renderApp(NEW);
  const [part] = await screen.findAllByRole("combobox", { name: /^Variable \{\{1\}\}/ });
  await user.click(part as HTMLElement);
  await user.click(await screen.findByRole("option", { name: "First name" }));
  expect((await formats(user))[0]).toBe("Unchanged");
});
