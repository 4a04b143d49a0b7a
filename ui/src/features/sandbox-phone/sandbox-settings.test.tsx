import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SandboxFault, SandboxSettings } from "@/bindings/app";

const requestOf = (host: FakeHost, command: string) =>
  host.calls.filter(({ name }) => name === command).at(-1)?.request;

const openPhone = async () => {
  const app = renderApp("/phone");
  const phone = await screen.findByRole("figure", { name: "Phone 5511990001111" });
  return { ...app, phone: within(phone) };
};

describe("the settings", () => {
  it("store how the sandbox reviews", async () => {
    const { host, user } = await openPhone();
    await user.click(await screen.findByRole("radio", { name: /Manual/ }));
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(requestOf(host, "save_sandbox_settings")).toMatchObject({
      review: "manual",
      reviewDelayMs: 2000,
      autoRead: true,
    });
  });

  it("are kept while they are not saved, also if the screen is left", async () => {
    const { user } = await openPhone();
    await user.click(await screen.findByRole("radio", { name: /Manual/ }));
    await user.click(screen.getByRole("link", { name: "Help" }));
    await screen.findByRole("heading", { level: 1, name: "Help" });
    await user.click(screen.getByRole("link", { name: "Sandbox phone" }));
    expect(await screen.findByRole("radio", { name: /Manual/ })).toHaveProperty("checked", true);
    expect(screen.getByRole("button", { name: "Save settings" })).toHaveProperty("disabled", false);
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(await screen.findByRole("radio", { name: /Manual/ })).toHaveProperty("checked", false);
  });

  it("choose how much the provider says, and show its forms only where they count", async () => {
    const { host, user } = await openPhone();
    await screen.findByRole("radio", { name: "Minimal" });
    expect(screen.queryByRole("switch", { name: "Include the category in the list" })).toBeNull();
    await user.click(screen.getByRole("radio", { name: "Minimal" }));
    await user.click(screen.getByRole("switch", { name: "Include the category in the list" }));
    await user.click(screen.getByRole("combobox", { name: "Format of the response to a new template" }));
    await user.click(await screen.findByRole("option", { name: "id" }));
    await user.click(screen.getByRole("combobox", { name: "Error format" }));
    await user.click(await screen.findByRole("option", { name: "error: […]" }));
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    await screen.findByText("Saved");
    expect(requestOf(host, "save_sandbox_settings")).toMatchObject({
      profile: "minimal",
      minimal: { category: false, archived: true, creation: "id", messageId: true },
      errorForm: "error_array",
    });
  });

  it("lose the answers of requests, for as many as one says", async () => {
    const { host, user } = await openPhone();
    await user.click(await screen.findByRole("combobox", { name: "What the app receives" }));
    await user.click(await screen.findByRole("option", { name: /^HTTP 503 with Retry-After/ }));
    const operations = within(screen.getByRole("group", { name: "Apply to" }));
    for (const name of ["New templates", "Edits", "Archive", "Unarchive", "Delete"]) {
      await user.click(operations.getByRole("checkbox", { name }));
    }
    await user.clear(screen.getByRole("textbox", { name: "Number of requests" }));
    await user.type(screen.getByRole("textbox", { name: "Number of requests" }), "3");
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    await screen.findByText("Saved");
    expect(requestOf(host, "save_sandbox_settings")).toMatchObject({
      fault: { operations: ["send"], answer: "status", status: 503, retryAfter: 2, times: 3 },
    });
  });

  it("have several accounts, reject credentials, state a wrong time, or leave a template out of the list", async () => {
    const { host, user } = await openPhone();
    const save = async (fault: Partial<SandboxFault> | null) => {
      await user.click(screen.getByRole("button", { name: "Save settings" }));
      await screen.findByText("Saved");
      expect(requestOf(host, "save_sandbox_settings")).toMatchObject({ fault });
    };
    const choose = async (name: string) => {
      await user.click(await screen.findByRole("combobox", { name: "What the app receives" }));
      await user.click(await screen.findByRole("option", { name }));
    };
    const fill = async (name: string, value: string) => {
      await user.clear(screen.getByRole("textbox", { name }));
      await user.type(screen.getByRole("textbox", { name }), value);
    };
    await user.click(await screen.findByRole("radio", { name: "Agency" }));
    await choose("Credentials rejected (HTTP 401)");
    await fill("From request number", "4");
    await save({ answer: "status", status: 401, from: 4, times: null });
    const { profile, fault } = requestOf(host, "save_sandbox_settings") as SandboxSettings;
    expect([profile, fault?.operations.at(-1)]).toEqual(["agency", "list"]);
    await choose("Provider’s clock behind");
    await fill("Difference in hours", "24");
    await save({ answer: "behind", status: null, offset: 86_400, from: null });

    await choose("A template is missing from the list");
    expect(screen.queryByRole("group", { name: "Apply to" })).toBeNull();
    await fill("Template name", "spring_sale");
    await save({ answer: "omit", operations: ["list"], template: "spring_sale", offset: null, times: 1 });

    await choose("HTTP 502");
    await save({ answer: "status", status: 502, template: null, times: 1 });
    await choose("Normal response");
    await save(null);
  });

  it("disturb webhooks, and say so above the phone", async () => {
    const { host, user } = await openPhone();
    await user.click(await screen.findByRole("switch", { name: /Hold events/ }));
    await user.click(screen.getByRole("combobox", { name: "Signature" }));
    await user.click(await screen.findByRole("option", { name: "Invalid" }));
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    await waitFor(() =>
      expect(requestOf(host, "save_sandbox_settings")).toMatchObject({
        webhooks: { paused: true, delayMs: 0, signature: "wrong" },
      }),
    );
    expect(await screen.findByText("Events held")).toBeTruthy();
    expect(screen.getByText("Invalid signatures")).toBeTruthy();
  });

  it.each([
    ["Extra copies", "-3", /^Enter a whole number from 0 to 100\./],
    ["Delay before delivery", "999999999", /^Enter a number from 0 to 86,400/],
  ])("do not store %s of %s", async (name, typed, message) => {
    const { host, user } = await openPhone();
    const field = (await screen.findAllByRole<HTMLInputElement>("textbox", { name: new RegExp(name) }))[0];
    if (!field) throw new Error("no field");
    await user.clear(field);
    await user.type(field, typed);
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    expect(screen.getByText(message)).toBeTruthy();
    expect(field.value).toBe(typed);
    expect(host.calls.filter((call) => call.name === "save_sandbox_settings")).toHaveLength(0);
  });

  it("say at its field what is refused, and keep what was typed", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_sandbox_settings", () =>
      refusal({ code: "invalidInput", field: "/delivery/batch", message: "Between 1 and 1000." }),
    );
    const { user } = renderApp("/phone", host);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Maximum events per delivery" });
    const fold = field.closest("details");
    expect(fold?.open).toBe(false);
    await user.clear(field);
    await user.type(field, "5");
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    expect(await screen.findByText("Between 1 and 1000.")).toBeTruthy();
    expect(field.value).toBe("5");
    expect(fold?.open, "an error is not hidden").toBe(true);
  });

  it("for developers are open where the host says that one is in force", async () => {
    const host = createFakeHost({ templates: 40 });
    const settings = await host.call("get_sandbox_settings", {});
    host.answer("get_sandbox_settings", () => ({ ...settings, customized: true }));
    renderApp("/phone", host);
    expect((await screen.findByText("For developers")).closest("details")?.open).toBe(true);
  });
});
