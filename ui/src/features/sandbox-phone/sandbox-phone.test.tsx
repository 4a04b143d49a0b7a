import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

it("taps quick replies and leaves other buttons to the phone", async () => {
  const { host, user } = renderApp("/phone");
  const phone = await screen.findByRole("figure", { name: "Phone 5511990001111" });
  await user.click(await within(phone).findByRole("button", { name: "Shop the sale" }));
  expect(await screen.findByText(/“Shop the sale” would open/)).toBeTruthy();
  expect(host.calls.some(({ name }) => name === "tap_button")).toBe(false);
  await user.click(within(phone).getByRole("button", { name: "Remind me later" }));
  await waitFor(() =>
    expect(host.calls.find(({ name }) => name === "tap_button")?.request).toEqual({
      recipient: "5511990001111",
      message: "p1",
      button: 1,
      card: null,
    }),
  );
});

it("keeps a typed answer until it is taken", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("type_text", () => refusal({ code: "conflict", message: "The sandbox is stopping." }));
  const { user } = renderApp("/phone", host);
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Type an answer" });
  await user.type(field, "Hello{Enter}");
  expect(await screen.findByText("The sandbox is stopping.")).toBeTruthy();
  expect(field.value).toBe("Hello");
  host.answer("type_text", () => ({}));
  await user.type(field, "{Enter}");
  await waitFor(() => expect(field.value).toBe(""));
  expect(host.calls.filter(({ name }) => name === "type_text").at(-1)?.request).toEqual({
    recipient: "5511990001111",
    text: "Hello",
  });
});

it("stores how the sandbox reviews", async () => {
  const { host, user } = renderApp("/phone");
  await user.click(await screen.findByRole("radio", { name: /By hand/ }));
  await user.click(screen.getByRole("button", { name: "Save settings" }));
  await waitFor(() =>
    expect(host.calls.find(({ name }) => name === "save_sandbox_settings")?.request).toEqual({
      review: "manual",
      reviewDelayMs: 2000,
      statusDelayMs: 800,
    }),
  );
});

it("explains itself outside the sandbox and leads there", async () => {
  const host = createFakeHost({ templates: 40 });
  await host.call("save_preferences", {
    workspace: "acme",
    persona: "marketing",
    colorScheme: "light",
    language: "en",
    notify: false,
  });
  const { user } = renderApp("/phone", host);
  expect(await screen.findByText("Only the sandbox has phones")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Switch to Sandbox" }));
  expect(await screen.findByRole("figure", { name: "Phone 5511990001111" })).toBeTruthy();
});
