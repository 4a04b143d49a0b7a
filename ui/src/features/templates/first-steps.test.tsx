import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const strip = async () => within(await screen.findByRole("region", { name: "First steps" }));

describe("the first steps", () => {
  it("say which of them are done", async () => {
    const host = createFakeHost({ templates: 3 });
    host.answer("get_first_steps", () => ({ submitted: true, sent: false }));
    const bootstrap = await host.call("get_bootstrap", {});
    host.answer("get_bootstrap", () => ({
      ...bootstrap,
      workspaces: bootstrap.workspaces.filter(({ sandbox }) => sandbox),
    }));
    renderApp("/templates", host);
    const steps = (await strip()).getAllByRole("listitem");
    const done = steps.map((step) => within(step).getByRole("img").getAttribute("aria-label"));
    expect(done).toEqual(["Done", "To do", "To do"]);
  });

  it("lead to where they are done", async () => {
    const { user } = renderApp("/templates");
    await user.click((await strip()).getByRole("link", { name: "Write a template" }));
    expect(await screen.findByRole("heading", { level: 1, name: "New template" })).toBeDefined();
  });

  it("stay away once they are dismissed", async () => {
    const { host, user } = renderApp("/templates");
    await user.click((await strip()).getByRole("button", { name: "Hide the first steps" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
    expect(host.calls.find(({ name }) => name === "save_preferences")?.request).toMatchObject({ firstSteps: false });
  });

  it("leave when all are done", async () => {
    const host = createFakeHost({ templates: 3 });
    host.answer("get_first_steps", () => ({ submitted: true, sent: true }));
    renderApp("/templates", host);
    await screen.findByRole("grid", { name: "Templates" });
    await waitFor(() => expect(host.calls.some(({ name }) => name === "get_first_steps")).toBe(true));
    expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  });
});
