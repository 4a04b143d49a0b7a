import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const NEW = "/settings?section=workspace&workspace=new";
const ACME = "/settings?section=workspace&workspace=acme";

const field = (name: RegExp) => screen.findByRole<HTMLInputElement>("textbox", { name });

const onOnePage = async (user: ReturnType<typeof renderApp>["user"]) =>
  user.click(await screen.findByRole("button", { name: "All fields on one page" }));

describe("a workspace", () => {
  it("is added with its preset on one page, and opens after it was stored", async () => {
    const { host, user } = renderApp(NEW);
    await onOnePage(user);
    await user.type(await field(/^Name$/), "Shop");
    await user.type(await field(/^Base URL/), "https://api.example");
    await user.type(await field(/^Workspace UUID/), "123e4567-e89b-12d3-a456-426614174000");
    await user.click(screen.getByRole("combobox", { name: /Channel preset/ }));
    await user.click(await screen.findByRole("option", { name: "WhatsApp" }));
    await user.type(screen.getByLabelText(/^Access token/), "top-secret");
    await user.type(await field(/ID of number 1/), "106540352242922");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() => expect(window.location.hash).toContain("workspace=workspace-"));
    expect(host.calls.find(({ name }) => name === "save_workspace")?.request).toMatchObject({
      workspace: null,
      settings: {
        name: "Shop",
        baseUrl: "https://api.example",
        channel: "whatsapp",
        messagingProduct: "whatsapp",
        numbers: [{ id: "106540352242922", label: "" }],
        wabaIds: [],
      },
      secrets: [{ kind: "token", value: "top-secret" }],
      sessionOnly: false,
    });
  });

  it("opens at the field that is to be corrected", async () => {
    const { unmount } = renderApp(`${ACME}&field=messagingProduct`);
    const product = await field(/^Messaging product/);
    await waitFor(() => expect(document.activeElement).toBe(product));
    unmount();
    renderApp(`${ACME}&field=numberId`);
    const number = await field(/^ID of number 1/);
    await waitFor(() => expect(document.activeElement).toBe(number));
  });

  it("offers a name for an account that only a number names", async () => {
    const { user } = renderApp(NEW);
    await onOnePage(user);
    await user.type(screen.getByRole("combobox", { name: /^WABA of number 1/ }), "120445112233445");
    await user.click(await screen.findByRole("button", { name: "Name WABA 120445112233445" }));
    expect((await field(/^WABA ID 1/)).value).toBe("120445112233445");
    expect(screen.queryByRole("button", { name: /^Name WABA/ })).toBeNull();
  });

  it("says what is wrong with a workspace UUID", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("check_workspace", () => [{ field: "workspaceUuid", code: "uuidLength", values: { digits: "7" } }]);
    const { user } = renderApp(NEW, host);
    await onOnePage(user);
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    expect(await screen.findByText(/This has 7 of 32 digits\./)).toBeTruthy();
  });

  it("shows every problem at its field at once, and unmarks what is corrected", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("check_workspace", ({ settings }) => [
      ...(settings.name === "" ? [{ field: "name", code: "nameMissing" as const, values: {} }] : []),
      ...(settings.baseUrl === "" ? [{ field: "baseUrl", code: "baseUrlMissing" as const, values: {} }] : []),
      ...(settings.workspaceUuid === "" ? [{ field: "workspaceUuid", code: "uuidMissing" as const, values: {} }] : []),
    ]);
    const { user } = renderApp(NEW, host);
    await onOnePage(user);
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    const name = await field(/^Name$/);
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(screen.getByText("Enter a name.")).toBeTruthy();
    expect(screen.getByText(/Enter the base URL/)).toBeTruthy();
    expect(screen.getByText("Correct the 3 marked fields. Your changes are still here.")).toBeTruthy();
    await user.type(name, "Shop");
    await waitFor(() => expect(screen.queryByText("Enter a name.")).toBeNull());
    expect(document.activeElement).toBe(name);
    expect((await field(/^Workspace UUID/)).getAttribute("aria-invalid")).toBe("true");
    expect(host.calls.some(({ name: command }) => command === "save_workspace")).toBe(false);
  });

  it("says on the one page why nothing can be saved", async () => {
    renderApp(ACME);
    expect(await screen.findByText("All changes are saved.")).toBeTruthy();
  });

  it.each([
    ["baseUrl", /^Base URL/],
    ["workspaceUuid", /^Workspace UUID/],
    ["wabaIds/1", /^WABA ID 2/],
  ] as const)("shows an error of %s at its field and keeps what was typed", async (name, label) => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_workspace", () => refusal({ code: "invalidInput", field: name, message: "This cannot work." }));
    const { user } = renderApp(ACME, host);
    await user.type(await field(/^Name$/), " 2");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    const wrong = await field(label);
    await waitFor(() => expect(wrong.getAttribute("aria-invalid")).toBe("true"));
    await waitFor(() => expect(document.activeElement).toBe(wrong));
    expect(screen.getByText("This cannot work.")).toBeTruthy();
    expect((await field(/^Name$/)).value).toBe("Acme Retail 2");
  });

  it("asks before anything leaves without encryption, and again for another address", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_workspace", ({ settings }) =>
      settings.allowUnencrypted
        ? refusal({ code: "storage", reason: "the disk is full" })
        : refusal({ code: "invalidInput", field: "allowUnencrypted", message: "It is not encrypted." }),
    );
    const { user } = renderApp(ACME, host);
    const confirm = () => screen.queryByLabelText<HTMLInputElement>(/^Send without encryption/);
    const address = await field(/^Base URL/);
    await user.clear(address);
    await user.type(address, "http://provider.example");
    expect(confirm()).toBeNull();
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() => expect(document.activeElement).toBe(confirm()));
    expect(screen.getByText(/anyone on the network can read your token/)).toBeTruthy();
    expect(screen.getByText(/confirm that you want to send without encryption/)).toBeTruthy();
    await user.click(confirm() as HTMLElement);
    await user.type(address, ".net");
    expect(confirm()?.checked ?? false).toBe(false);
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() => expect(confirm()).not.toBeNull());
    await user.click(confirm() as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "save_workspace")?.request).toMatchObject({
        settings: { baseUrl: "http://provider.example.net", allowUnencrypted: true },
      }),
    );
  });

  it("shows what is stored of a secret, never the secret", async () => {
    renderApp(ACME);
    const token = await screen.findByLabelText<HTMLInputElement>(/^Access token/);
    expect(token.type).toBe("password");
    expect(token.value).toBe("");
    expect(token.placeholder).toContain("keyring");
  });

  it("keeps secrets for the session only where the person chooses so", async () => {
    const host = createFakeHost({ templates: 40 });
    const stored = await host.call("get_workspace", { workspace: "acme" });
    host.answer("save_workspace", ({ sessionOnly }) =>
      sessionOnly
        ? stored
        : refusal({ code: "keyringUnavailable", reason: "no Secret Service", problem: "missing", stale: false }),
    );
    const { user } = renderApp(ACME, host);
    await user.type(await screen.findByLabelText(/^Access token/), "new");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    expect(await screen.findByText("no Secret Service")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Keep for this session and save" }));
    await waitFor(() =>
      expect(host.calls.filter(({ name }) => name === "save_workspace").at(-1)?.request).toMatchObject({
        sessionOnly: true,
        secrets: [{ kind: "token", value: "new" }],
      }),
    );
  });

  it("reports its connection test step by step", async () => {
    const { user } = renderApp(ACME);
    await user.click(await screen.findByRole("button", { name: "Test connection" }));
    const report = await screen.findByRole("region", { name: "Result of the connection test" });
    expect(within(report).getByText("The connection does not work yet")).toBeTruthy();
    expect(within(report).getAllByRole("img", { name: "Passed" })).toHaveLength(2);
    expect(within(report).getByText("Authentication required")).toBeTruthy();
    expect(within(report).getByText("The credentials are not accepted")).toBeTruthy();
    expect(within(report).getByText(/The templates can be read — not tested/)).toBeTruthy();
  });

  it("is not left with unsaved changes unasked", async () => {
    const { user } = renderApp(ACME);
    await user.type(await field(/^Name$/), "!");
    await user.click(screen.getByRole("link", { name: "Sends" }));
    const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
    await user.click(within(dialog).getByRole("button", { name: "Discard changes" }));
    await waitFor(() => expect(window.location.hash).toBe("#/sends"));
  });

  it("is deleted only after it was named", async () => {
    const { host, user } = renderApp(ACME);
    await user.click(await screen.findByRole("button", { name: "Delete workspace…" }));
    expect(host.calls.some(({ name }) => name === "delete_workspace")).toBe(false);
    const question = await screen.findByRole("dialog", { name: "Delete “Acme Retail”?" });
    const lost = (await within(question).findAllByRole("listitem")).map((item) => item.textContent);
    expect(lost.slice(0, 4)).toEqual([
      "3 batches",
      "497 sent messages with their statuses",
      "2 drafts",
      "1 person in the address book",
    ]);
    expect(lost).toContain("The rate card");
    expect(within(question).getByRole("button", { name: "Make a backup first" })).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Delete “Acme Retail”" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "delete_workspace")?.request).toEqual({ workspace: "acme" }),
    );
  });
});

it("says why a workspace cannot be deleted while its batch runs", async () => {
  const host = createFakeHost();
  const fault = { kind: "batchRunning", done: 40, total: 500 } as const;
  host.answer("delete_workspace", () => refusal({ code: "conflict", message: "", fault }));
  const { user } = renderApp(ACME, host);
  await user.click(await screen.findByRole("button", { name: "Delete workspace…" }));
  await user.click(await screen.findByRole("button", { name: "Delete “Acme Retail”" }));
  expect(await screen.findByText("A batch is running: 40 of 500 sent. Pause it first.")).toBeTruthy();
});

describe("preferences", () => {
  it("are stored as chosen", async () => {
    const { host, user } = renderApp("/settings?section=appearance");
    await user.click(await screen.findByRole("radio", { name: "Dark" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "save_preferences")?.request).toMatchObject({
        colorScheme: "dark",
      }),
    );
  });

  it("say why they could not be stored", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_preferences", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user } = renderApp("/settings?section=notifications", host);
    await user.click(await screen.findByRole("switch", { name: "Show desktop notifications" }));
    expect(await screen.findByText("the disk is full")).toBeTruthy();
  });

  it("notify of selected kinds, and of others in one workspace", async () => {
    const { host, user } = renderApp("/settings?section=notifications");
    const saved = () => host.calls.filter(({ name }) => name === "save_preferences").at(-1)?.request;
    const all = within(await screen.findByRole("group", { name: "Notify me about" }));
    await user.click(all.getByRole("switch", { name: "Quality" }));
    await waitFor(() => expect(saved()).toMatchObject({ notifications: { quality: false, reviews: true } }));
    await user.click(screen.getByRole("switch", { name: "Own settings for Acme Retail" }));
    const own = within(await screen.findByRole("group", { name: "Notifications for Acme Retail" }));
    await user.click(own.getByRole("switch", { name: "Quality" }));
    await user.click(own.getByRole("switch", { name: "Review results" }));
    await waitFor(() =>
      expect(saved()).toMatchObject({
        notifications: { quality: false, reviews: true },
        workspaceNotifications: { acme: { quality: true, reviews: false } },
      }),
    );
    await user.click(screen.getByRole("switch", { name: "Own settings for Acme Retail" }));
    await waitFor(() => expect(saved()).toMatchObject({ workspaceNotifications: {} }));
    await user.click(screen.getByRole("switch", { name: "Show desktop notifications" }));
    await waitFor(() => expect(saved()).toMatchObject({ notify: false }));
    await waitFor(() => expect(all.getByRole<HTMLInputElement>("switch", { name: "Quality" }).disabled).toBe(true));
  });

  it("say what goes on while the window is closed, and what this desktop does not show", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_presence", () => ({ tray: false, canNotify: false, secondStart: false }));
    const { user } = renderApp("/settings?section=notifications", host);
    expect(await screen.findByText(/Your desktop doesn't support notifications/)).toBeTruthy();
    expect(screen.queryByRole("switch", { name: /log in/ })).toBeNull();
    expect(screen.getByText(/Your desktop has no tray/)).toBeTruthy();
    expect(screen.getByText(/Closing the window quits the app/)).toBeTruthy();
    await user.click(screen.getByRole("switch", { name: "Keep receiving webhooks" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "save_preferences")?.request).toMatchObject({ keepRunning: true }),
    );
    await waitFor(() => expect(screen.queryByText(/Closing the window quits the app/)).toBeNull());
    expect(screen.getByText(/closing it always quits the app/)).toBeTruthy();
  });

  it("start the app at login, or say why the system refuses", async () => {
    const host = createFakeHost({ templates: 40 });
    let startsAtLogin = false;
    host.answer("get_presence", () => ({ tray: true, canNotify: true, secondStart: true, startsAtLogin }));
    host.answer("set_login_start", ({ on }) => {
      if (!on) throw { code: "file", name: "Start at login", reason: "read-only file system" };
      startsAtLogin = on;
      return { tray: true, canNotify: true, secondStart: true, startsAtLogin };
    });
    const { user } = renderApp("/settings?section=notifications", host);
    const login = await screen.findByRole<HTMLInputElement>("switch", { name: "Start Template Desk when you log in" });
    expect(screen.getByText(/^Its window opens/)).toBeTruthy();
    await user.click(login);
    await waitFor(() => expect(login.checked).toBe(true));
    await user.click(login);
    expect(await screen.findByText(/read-only file system/)).toBeTruthy();
    expect(login.checked).toBe(true);
  });
});

it("says that the receiver still listens when it could not move, and keeps the address that was typed", async () => {
  const host = createFakeHost({ templates: 40 });
  const before = await host.call("get_bootstrap", {});
  const state = {
    state: "listening",
    address: "127.0.0.1:8787",
    failedMove: { address: "127.0.0.1:18901", reason: "another program uses this port", suggestion: "127.0.0.1:18902" },
  } as const;
  let receiver: typeof before.receiver = before.receiver;
  host.answer("get_bootstrap", () => ({ ...before, receiver }));
  host.answer("set_receiver", () => {
    receiver = state;
    host.emit({ type: "receiverChanged", state });
    return state;
  });
  const { user } = renderApp("/settings?section=receiver", host);
  const address = await field(/^Receiver address/);
  await user.clear(address);
  await user.type(address, "127.0.0.1:18901");
  await user.click(screen.getByRole("button", { name: "Use this address" }));
  expect(await screen.findByText("The receiver could not move to 127.0.0.1:18901")).toBeTruthy();
  expect(
    screen.getByText(/another program uses this port\. You still receive webhooks on 127\.0\.0\.1:8787/),
  ).toBeTruthy();
  expect(screen.getByText("Listening on 127.0.0.1:8787")).toBeTruthy();
  expect(screen.queryByText("Receiver stopped")).toBeNull();
  expect(address.value).toBe("127.0.0.1:18901");
  expect(screen.getByRole("button", { name: "Use 127.0.0.1:18902 instead" })).toBeTruthy();
});
