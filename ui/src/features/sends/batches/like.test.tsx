import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { BatchPlanRequest } from "@/bindings/app";
import { beginLike, forgetDraft } from "./draft";

const OLD = "/sends/batches/batch-old";
const button = (name: string) => screen.findByRole("button", { name });
const variable = (name: number) => screen.findByRole("combobox", { name: new RegExp(`^Variable \\{\\{${name}\\}\\}`) });

function planned(host: FakeHost) {
  return host.calls.findLast(({ name }) => name === "plan_batch")?.request as BatchPlanRequest | undefined;
}

beforeEach(() => forgetDraft("sandbox"));

it("shows what filled a batch, begins another one with it, and says which columns the file lacks", async () => {
  const { host, user } = renderApp(OLD);
  await user.click(await screen.findByText("What fills the message"));
  expect(screen.getByText("Column “First name” · Names in title case · “friend” if it is empty")).toBeTruthy();
  expect(screen.getByText("Column “Day” · Date · Day first (28/11/2026)")).toBeTruthy();
  expect(screen.getByText("“https://shop.example/winter.jpg” for everyone")).toBeTruthy();

  await user.click(await button("New batch like this"));
  await user.click(await button("Choose a CSV file…"));
  expect(await variable(1)).toHaveProperty("value", "First name");
  const day = await variable(2);
  expect(day.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("The file has no column “Day”. Choose another one.")).toBeTruthy();
  await user.click(screen.getByRole("combobox", { name: /^Link ending/ }));
  await user.click(await screen.findByRole("option", { name: "Shop" }));
  await user.click(await button("Check recipients"));
  await waitFor(() => expect(document.activeElement).toBe(day));
  expect(planned(host)).toBeUndefined();

  await user.click(day);
  await user.click(await screen.findByRole("option", { name: "2" }));
  await user.click(await button("Check recipients"));
  await waitFor(() => expect(planned(host)).toBeDefined());
  expect(planned(host)?.source).toMatchObject({
    to: "Phone",
    values: {
      "header.link": { kind: "fixed", value: "https://shop.example/winter.jpg" },
      "body.1": { kind: "column", column: "First name", fallback: "friend", transform: "titleCase" },
      "body.2": { kind: "column", column: "2", transform: { date: { order: "dayFirst" } } },
    },
  });
});

it("asks before it replaces a batch that was begun", async () => {
  const batch = await createFakeHost({ templates: 40 }).call("get_batch", { batch: "batch-old", limit: 1 });
  beginLike(batch.batch, { file: { hasHeader: true, to: "Phone" }, values: {} });
  const { user } = renderApp(OLD);
  await user.click(await button("New batch like this"));
  const question = within(await screen.findByRole("dialog", { name: "Replace the batch you began?" }));
  await user.click(question.getByRole("button", { name: "Replace it" }));
  expect(await button("Choose a CSV file…")).toBeTruthy();
});
