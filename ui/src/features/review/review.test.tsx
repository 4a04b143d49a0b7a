import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

it("is decided by hand in the sandbox, with a reason for a rejection", async () => {
  const { host, user } = renderApp("/review");
  const pending = await screen.findByRole("region", { name: /^Pending/ });
  await user.click(within(pending).getAllByRole("button", { name: /^Reject/ })[0] as HTMLElement);
  const dialog = await screen.findByRole("dialog", { name: /^Reject/ });
  await user.click(within(dialog).getByRole("combobox", { name: /Reason/ }));
  await user.click(await screen.findByRole("option", { name: /^SCAM/ }));
  await user.click(within(dialog).getByRole("button", { name: "Reject" }));
  await waitFor(() =>
    expect(host.calls.find(({ name }) => name === "decide_review")?.request).toMatchObject({
      event: "REJECTED",
      reason: "SCAM",
    }),
  );
});

it("says at the card why a decision was refused", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("decide_review", () => refusal({ code: "conflict", message: "It is not in review." }));
  const { user } = renderApp("/review", host);
  await user.click((await screen.findAllByRole("button", { name: /^Approve/ }))[0] as HTMLElement);
  expect(await screen.findByText("It is not in review.")).toBeTruthy();
});

it("offers no decisions outside the sandbox", async () => {
  const host = createFakeHost({ templates: 40 });
  const bootstrap = await host.call("get_bootstrap", {});
  host.answer("get_bootstrap", () => ({
    ...bootstrap,
    preferences: { ...bootstrap.preferences, workspace: "acme" },
  }));
  renderApp("/review", host);
  const pending = await screen.findByRole("region", { name: /^Pending/ });
  expect(within(pending).getAllByRole("link").length).toBeGreaterThan(0);
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
});
