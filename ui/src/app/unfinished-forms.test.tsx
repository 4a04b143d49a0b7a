import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { connectHost } from "@/lib/ipc/client";
import { dropForm, forgetForms, keepForm, storeWaiting } from "@/lib/unfinished-forms";

const REFERENCE = "5f3b8f0e-0000-4000-8000-000000000000";
const NEW_WORKSPACE = "/settings?section=workspace&workspace=new";

const stored = async (host: FakeHost) => JSON.stringify(await host.call("list_unfinished_forms", {}));

/** Loads the page again once `text` is stored: only what the host has is left. */
async function reload(address: string, before: FakeHost, text: string) {
  await waitFor(async () => expect(await stored(before)).toContain(text));
  cleanup();
  forgetForms();
  return renderApp(address, before);
}

describe("what was filled in is restored after a reload", () => {
  it("in a send, until it is sent", async () => {
    const address = `/sends/new?reference=${REFERENCE}`;
    const before = renderApp(address);
    await before.user.click(await screen.findByRole("button", { name: "Fill with samples" }));
    await before.user.type(screen.getByRole("combobox", { name: /Recipient/ }), "5511990001111");

    const { user, host } = await reload(address, before.host, "5511990001111");
    const recipient = await screen.findByRole<HTMLInputElement>("combobox", { name: /Recipient/ });
    expect(recipient.value).toBe("5511990001111");
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/).value).toBe("Maria");

    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(host.calls.some(({ name }) => name === "send_template")).toBe(true));
    await waitFor(async () => expect(await stored(host)).toBe("[]"));
  });

  it("in a batch, until it is dropped", async () => {
    const address = `/sends/batches/new?reference=${REFERENCE}`;
    const before = renderApp(address);
    await before.user.click(await screen.findByRole("radio", { name: "CSV file" }));
    await before.user.click(await screen.findByRole("button", { name: "Choose a CSV file…" }));

    const { host } = await reload(address, before.host, "customers.csv");
    expect(await screen.findByText("customers.csv")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Column with the number/ }).value).toBe("Phone");

    cleanup();
    const { user } = renderApp("/sends/batches/new", host);
    await user.click(await screen.findByRole("button", { name: "Start over" }));
    await waitFor(async () => expect(await stored(host)).toBe("[]"));
  });

  it("in the settings of a new workspace, without its secrets", async () => {
    const before = renderApp(NEW_WORKSPACE);
    await before.user.click(await screen.findByRole("button", { name: /one page/ }));
    await before.user.type(await screen.findByRole("textbox", { name: /^Name$/ }), "Shop");
    for (const secret of [/^Access token/, /^Webhook secret/, /^Verify token/]) {
      await before.user.type(screen.getByLabelText(secret), "top-secret");
    }
    await before.user.type(screen.getByRole("textbox", { name: /ID of number 1/ }), "106540352242922");

    const { user, host } = await reload(NEW_WORKSPACE, before.host, "106540352242922");
    const kept = before.host.calls.filter(({ name }) => name === "save_unfinished_form");
    expect(JSON.stringify(kept)).not.toContain("top-secret");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: /^Name$/ })).value).toBe("Shop");
    await user.click(screen.getByRole("button", { name: /one page/ }));
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /ID of number 1/ }).value).toBe("106540352242922");
    expect(screen.getByLabelText<HTMLInputElement>(/^Access token/).value).toBe("");

    await user.click(screen.getByRole("link", { name: "Templates" }));
    await user.click(await screen.findByRole("button", { name: "Discard changes" }));
    await waitFor(async () => expect(await stored(host)).toBe("[]"));
  });

  it("in the changes of a stored workspace, which are not saved yet", async () => {
    const address = "/settings?section=workspace&workspace=acme";
    const before = renderApp(address);
    const token = await screen.findByLabelText(/^Access token/);
    await before.user.type(token, "top-secret");
    const name = screen.getByRole("textbox", { name: /^Name$/ });
    await before.user.clear(name);
    await before.user.type(name, "Renamed");

    const { user, host } = await reload(address, before.host, "Renamed");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: /^Name$/ })).value).toBe("Renamed");
    expect(screen.getByText("You have unsaved changes.")).toBeTruthy();
    expect(await stored(host)).not.toContain("top-secret");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(async () => expect(await stored(host)).toBe("[]"));
  });
});

describe("a stored form", () => {
  it("of another format begins empty", async () => {
    const host = createFakeHost({ templates: 40 });
    const form = `send ${REFERENCE}`;
    await host.call("save_unfinished_form", { workspace: "sandbox", form, content: '{"format":0,"content":{}}' });
    await host.call("save_unfinished_form", { workspace: "sandbox", form: "text", content: "no JSON" });
    renderApp(`/sends/new?reference=${REFERENCE}`, host);
    expect((await screen.findByRole<HTMLInputElement>("combobox", { name: /Recipient/ })).value).toBe("");
  });

  it("that the host refused is stored with the next change", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_unfinished_form", () => Promise.reject({ code: "storage", message: "disk full" }));
    connectHost(host);
    keepForm("sandbox", "text", { body: "typed while the disk is full" });
    storeWaiting();
    await waitFor(() => expect(host.calls).toHaveLength(1));

    const stored: string[] = [];
    host.answer("save_unfinished_form", async ({ content }) => {
      stored.push(content ?? "");
      return {};
    });
    keepForm("sandbox", "send", { to: "5511990001111" });
    await waitFor(() => expect(stored).toHaveLength(2));
    expect(stored.join()).toContain("typed while the disk is full");
  });

  it("is not brought back by an older save that is slow", async () => {
    const host = createFakeHost({ templates: 40 });
    const stored: (string | null | undefined)[] = [];
    let finish = () => {};
    host.answer("save_unfinished_form", async ({ content }) => {
      if (content) await new Promise<void>((resolve) => (finish = resolve));
      stored.push(content);
      return {};
    });
    connectHost(host);
    keepForm("sandbox", "text", { body: "sent in a moment" });
    storeWaiting();
    dropForm("sandbox", "text");
    storeWaiting();
    await waitFor(() => expect(host.calls).toHaveLength(1));
    finish();
    await waitFor(() => expect(stored).toHaveLength(2));
    expect(stored[1]).toBeNull();
  });

  it("that cannot be read does not keep the window from opening", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_unfinished_forms", () => Promise.reject({ code: "storage", message: "damaged" }));
    renderApp("/templates", host);
    expect(await screen.findByRole("heading", { name: "Templates" })).toBeTruthy();
  });
});
