import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
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
  const country = screen.getByRole("combobox", { name: "Country of the numbers" });
  expect(country.getAttribute("placeholder")).toBe("Brazil, as in the workspace settings");
  expect((await formats(user))[0]).toBe("As in the file");
});

it("leaves the values of the address book unchanged, where there is no file", async () => {
  const { user } = renderApp(NEW);
  const [part] = await screen.findAllByRole("combobox", { name: /^Variable \{\{1\}\}/ });
  await user.click(part as HTMLElement);
  await user.click(await screen.findByRole("option", { name: "First name" }));
  expect((await formats(user))[0]).toBe("Unchanged");
});

it("asks for the currency of amounts before anything is checked", async () => {
  const host = createFakeHost({ templates: 40 });
  const preview = host.call;
  host.answer("preview_batch", async (request) => ({
    values: {},
    preview: {
      ...(await preview("preview_send", { ...request.batch, to: "5511987654321", values: {} })),
      // The currency is what is left to say.
      problems: [],
    },
    columns: Object.entries(request.batch.source.values).flatMap(([part, value]) =>
      value?.kind === "column" && value.transform
        ? [
            {
              part,
              row: 2,
              written: "R$ 45,00",
              unread: 4,
              problem: {
                field: part,
                code: "value.currencyMissing",
                severity: "error",
                message: "Enter the currency of the amounts, such as BRL.",
                values: {},
              },
            },
          ]
        : [],
    ),
  }));
  const { user } = renderApp(NEW, host);
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await screen.findByRole("button", { name: "Choose a CSV file…" }));
  await user.click(await screen.findByRole("combobox", { name: /^Link ending: Shop the sale/ }));
  await user.click(await screen.findByRole("option", { name: "Shop" }));
  await formats(user);
  await user.click(screen.getByRole("option", { name: "Amount of money" }));
  expect(await screen.findByText("Enter the currency of the amounts, such as BRL.")).toBeTruthy();
  // Nothing is wrong with the rows before.
  expect(screen.queryByText(/can't be read/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Check recipients" }));
  expect(await screen.findByText(/fields? needs? attention\.$/)).toBeTruthy();
  // The answer that names the field has arrived.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: /^Currency/ })));
  expect(host.calls.some(({ name }) => name === "plan_batch")).toBe(false);
});
