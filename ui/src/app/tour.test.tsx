import { createFakeHost } from "@test/fake-host";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SubmittedTemplate } from "@/bindings/app";

const card = async () => within(await screen.findByRole("region", { name: "Tour" }));
const TEMPLATE = "5f3b8f0e-0000-4000-8000-000000000000";

/** A window with the tour at the step that follows what was done. */
async function onTour(latest: Partial<SubmittedTemplate> | undefined, address = "/templates") {
  const host = createFakeHost({ templates: 3 });
  const { preferences } = await host.call("get_bootstrap", {});
  await host.call("save_preferences", { ...preferences, tourStartedAt: NOW + 1 });
  const submitted = { reference: TEMPLATE, submittedAt: NOW + 2, status: "PENDING", sendable: false, read: false };
  host.answer("get_first_steps", () => ({
    submitted: true,
    sent: false,
    latest: latest ? { ...submitted, ...latest } : null,
  }));
  return renderApp(address, host);
}

describe("the tour", () => {
  it("starts from the first steps, and is remembered", async () => {
    const { host, user } = renderApp("/templates");
    await user.click(await screen.findByRole("button", { name: "Show me step by step" }));
    expect(await (await card()).findByText("Begin a template")).toBeDefined();
    const saved = host.calls.filter(({ name }) => name === "save_preferences").at(-1)?.request;
    expect(saved).toMatchObject({ workspace: "sandbox", tourStartedAt: expect.any(Number) });
  });

  it.each([
    ["Begin a template", undefined],
    ["Begin a template", { submittedAt: NOW - 1 }],
    ["Get it approved", {}],
    ["It was rejected", { status: "REJECTED" }],
    ["Send it", { status: "APPROVED", sendable: true }],
    ["Read it on the phone", { status: "APPROVED", sendable: true, recipient: "5511987654321" }],
    ["Your first template was read", { status: "APPROVED", sendable: true, recipient: "5511987654321", read: true }],
  ])("is at %j by what was done", async (title, latest) => {
    await onTour(latest);
    expect(await (await card()).findByRole("heading", { name: title })).toBeDefined();
  });

  it("leads to where its step is done", async () => {
    const { user } = await onTour({});
    await user.click(await (await card()).findByRole("link", { name: "Open Review" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Review" })).toBeDefined();
  });

  it("leaves screens that no step is about to their work", async () => {
    const { user } = await onTour({});
    await card();
    await user.click(screen.getByRole("link", { name: /^Inbox/ }));
    expect(await screen.findByRole("heading", { level: 1, name: "Inbox" })).toBeDefined();
    expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
    await user.click(screen.getByRole("link", { name: "Templates" }));
    await card();
  });

  it("leaves the phone to itself once the message was read", async () => {
    const read = { status: "APPROVED", sendable: true, recipient: "5511987654321", read: true };
    const { user } = await onTour(read);
    await user.click(await (await card()).findByRole("link", { name: "Open the phone" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Sandbox phone" })).toBeDefined();
    expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
  });

  it("ends with Escape", async () => {
    const { host, user } = await onTour({});
    await card();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("region", { name: "Tour" })).toBeNull());
    const saved = host.calls.filter(({ name }) => name === "save_preferences").at(-1)?.request;
    expect(saved).toMatchObject({ tourStartedAt: null });
  });
});
