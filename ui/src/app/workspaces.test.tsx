import { notifications } from "@mantine/notifications";
import { createFakeHost, nameWabas, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AccountNotice, WorkspaceSummary } from "@/bindings/app";
import { statusToast } from "@/lib/status-toast";
import { templateQuery } from "@/lib/template-filter";
import { isScreen } from "./landing";

const shown = () => screen.findByRole("button", { name: /^Workspace/ });
const saved = (host: ReturnType<typeof createFakeHost>) => host.calls.filter(({ name }) => name === "save_preferences");

describe("another workspace", () => {
  it("opens with one key on the same screen, even while typing", async () => {
    const { host, user } = renderApp("/templates?q=sale");
    await user.type(await screen.findByRole("searchbox"), " 2026");
    await user.keyboard("{Control>}2{/Control}");
    await waitFor(async () => expect((await shown()).textContent).toContain("Acme Retail"));
    await waitFor(() => expect(window.location.hash).toBe("#/templates"));
    expect(saved(host).at(-1)?.request).toMatchObject({ workspace: "acme" });
    await user.keyboard("{Meta>}1{/Meta}");
    await waitFor(async () => expect((await shown()).textContent).toContain("Sandbox"));
  });

  it("shows how many of its conversations are unread", async () => {
    const host = createFakeHost();
    host.answer("count_unread", ({ workspace }) => ({ contacts: workspace === "acme" ? 3 : 0 }));
    const { user } = renderApp("/templates", host);
    await user.click(await shown());
    expect(await screen.findByRole("menuitem", { name: /Acme Retail.*3 unread conversations/ })).toBeTruthy();
  });

  it("ignores a key without a workspace, and the key of the current one", async () => {
    const { host, user } = renderApp("/templates");
    await shown();
    await user.keyboard("{Control>}9{/Control}{Control>}1{/Control}{Control>}{Alt>}2{/Alt}{/Control}");
    expect(saved(host)).toEqual([]);
  });

  it("leaves what is open in the one before", async () => {
    const { user } = renderApp("/sends/send-1");
    await screen.findByRole("heading", { level: 1 });
    await user.click(await shown());
    const entry = await screen.findByRole("menuitem", { name: /Acme Retail/ });
    expect(entry.getAttribute("aria-keyshortcuts")).toBe("Control+2 Meta+2");
    await user.click(entry);
    await waitFor(() => expect(window.location.hash).toBe("#/sends"));
  });

  it.each([
    ["/sends/send-1", "#/sends", "Sends"],
    ["/templates/5f3b8f0e-0000-4000-8000-000000000003?tab=history", "#/templates", "Templates"],
    ["/drafts/draft-1", "#/templates", "Templates"],
  ])("does not come back to what was open in the one before: %s", async (open, address, title) => {
    const { host, user } = renderApp(open);
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard("{Control>}2{/Control}");
    await waitFor(async () => expect((await shown()).textContent).toContain("Acme Retail"));
    await waitFor(() => expect(window.location.hash).toBe(address));
    const before = host.calls.length;
    const gone = new Promise((done) => window.addEventListener("popstate", done, { once: true }));
    window.history.back();
    await gone;
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
    await waitFor(() => expect(window.location.hash).toBe(address));
    const asked = host.calls.slice(before).map(({ name }) => name);
    expect(asked.filter((name) => ["get_send", "get_template", "get_draft"].includes(name))).toEqual([]);
    expect((await shown()).textContent).toContain("Acme Retail");
  });

  it("opens on the current screen, even when it is chosen after the screen", async () => {
    const host = createFakeHost({ templates: 40 });
    const bootstrap = await host.call("get_bootstrap", {});
    let { preferences } = bootstrap;
    let save: () => void = () => undefined;
    const saving = new Promise<void>((done) => {
      save = done;
    });
    host.answer("get_bootstrap", () => ({ ...bootstrap, preferences }));
    host.answer("save_preferences", async (next) => {
      await saving;
      preferences = next;
      return next;
    });
    const { user } = renderApp("/settings?section=workspace&workspace=acme", host);
    await user.click(await screen.findByRole("button", { name: "Work in “Acme Retail”" }));
    await user.click(screen.getByRole("link", { name: "Templates" }));
    await screen.findByRole("heading", { level: 1, name: "Templates" });
    expect((await shown()).textContent).toContain("Sandbox");
    save();
    await waitFor(async () => expect((await shown()).textContent).toContain("Acme Retail"));
    expect(await screen.findByRole("heading", { level: 1, name: "Templates" })).toBeTruthy();
    expect(await screen.findByRole("grid", { name: "Templates" })).toBeTruthy();
  });

  it("never shows the rows of the one before, however long its own take", async () => {
    const host = createFakeHost({ templates: 40 });
    const rows = await host.call("list_templates", {
      ...templateQuery("sandbox", { archived: "all" }),
      offset: 0,
      limit: 50,
    });
    const never = new Promise<typeof rows>(() => undefined);
    host.answer("list_templates", ({ workspace }) => (workspace === "acme" ? never : rows));
    const { user } = renderApp("/templates", host);
    const main = await screen.findByRole("main");
    await within(main).findAllByText("summer_sale_2026");
    await user.keyboard("{Control>}2{/Control}");
    await waitFor(async () => expect((await shown()).textContent).toContain("Acme Retail"));
    await within(main).findByRole("heading", { level: 1, name: "Templates" });
    expect(within(main).queryByText("summer_sale_2026")).toBeNull();
  });

  it("waits for an answer where something is not saved", async () => {
    const { host, user } = renderApp("/settings?section=workspace&workspace=acme");
    await user.type(await screen.findByRole("textbox", { name: /^Name$/ }), "!");
    await user.keyboard("{Control>}2{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
    await user.click(within(dialog).getByText("Stay"));
    expect(saved(host)).toEqual([]);
    expect((await shown()).textContent).toContain("Sandbox");
  });

  it("is not shown where the choice could not be stored", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_preferences", () => refusal({ code: "storage", reason: "the disk is full" }));
    const { user } = renderApp("/inbox", host);
    await shown();
    await user.keyboard("{Control>}2{/Control}");
    expect(await screen.findByText("the disk is full")).toBeTruthy();
    expect((await shown()).textContent).toContain("Sandbox");
    await waitFor(() => expect(window.location.hash).toBe("#/inbox"));
  });
});

describe("the first screen", () => {
  it("is Templates at the first start, and then the screen that was open last", async () => {
    const first = renderApp("/");
    await waitFor(() => expect(window.location.hash).toBe("#/templates"));
    await first.user.click(await screen.findByRole("link", { name: "Sends" }));
    await screen.findByRole("heading", { level: 1, name: "Sends" });
    first.unmount();
    renderApp("/");
    await waitFor(() => expect(window.location.hash).toBe("#/sends"));
  });

  it("names no person, number or template", async () => {
    renderApp("/sends?recipient=%2B551199990000");
    await screen.findByRole("heading", { level: 1, name: "Sends" });
    expect({ ...localStorage }).toEqual({ "lastScreen.sandbox": "/sends" });
  });

  it.each(["/nowhere", "//example.org", "javascript:0"])("is Templates where %s is stored", async (stored) => {
    localStorage.setItem("lastScreen.sandbox", stored);
    renderApp("/");
    await waitFor(() => expect(window.location.hash).toBe("#/templates"));
  });
});

describe("a workspace that needs attention", () => {
  it.each([
    ["tokenExpiring", 5, "Token expires in 5 days"],
    ["tokenExpiring", 0, "Token expires today"],
    ["tokenExpired", -2, "Token expired"],
    ["webhooksFailing", null, "Webhooks are rejected"],
  ] as const)("says so in the menu, and above its screens: %s, %s", async (attention, tokenDaysLeft, words) => {
    const host = createFakeHost({ templates: 40 });
    const bootstrap = await host.call("get_bootstrap", {});
    const workspaces = bootstrap.workspaces.map((entry) =>
      entry.id === "acme" ? { ...entry, attention, tokenDaysLeft } : entry,
    );
    let { preferences } = bootstrap;
    host.answer("get_bootstrap", () => ({ ...bootstrap, workspaces, preferences }));
    host.answer("save_preferences", (next) => {
      preferences = next;
      return next;
    });
    const { user } = renderApp("/templates", host);
    expect(await screen.findByRole("img", { name: "Needs attention: Acme Retail" })).toBeTruthy();
    expect(screen.queryByText(`Acme Retail: ${words}`)).toBeNull();
    await user.click(await shown());
    const entry = await screen.findByRole("menuitem", { name: /Acme Retail/ });
    expect(entry.textContent).toContain(words);
    await user.click(entry);
    expect(await screen.findByText(`Acme Retail: ${words}`)).toBeTruthy();
    const target = screen.getByRole("link", { name: "Open workspace settings" }).getAttribute("href");
    expect(target?.includes("field=token")).toBe(attention !== "webhooksFailing");
    expect(screen.queryByRole("img", { name: "Needs attention: Acme Retail" })).toBeNull();
  });
});

describe("the health of the workspace shown", () => {
  const withHealth = async (health: Partial<WorkspaceSummary>) => {
    const host = createFakeHost({ templates: 40 });
    const bootstrap = await host.call("get_bootstrap", {});
    const workspaces = bootstrap.workspaces.map((entry) => (entry.id === "acme" ? { ...entry, ...health } : entry));
    const preferences = { ...bootstrap.preferences, workspace: "acme" };
    host.answer("get_bootstrap", () => ({ ...bootstrap, workspaces, preferences }));
    return host;
  };

  it.each([
    ["working", null, /^Connected$/],
    ["unknown", null, /^Not checked yet$/],
    [
      "unauthorized",
      { code: "unauthorized", message: "Authentication required.", details: "" },
      /^Credentials rejected\. Your provider rejected the credentials .* Authentication required\.$/,
    ],
    [
      "unreachable",
      { code: "offline", reason: "the connection was refused" },
      /^Provider not reachable\. .* the connection was refused$/,
    ],
    ["failing", { code: "timedOut", seconds: 9 }, /^Provider has a problem\. Your provider answered that it failed/],
  ] as const)("says how its provider answered last: %s", async (state, error, words) => {
    const host = await withHealth({ connection: { state, at: Date.now(), error } });
    renderApp("/templates", host);
    const is = (_: string, element: Element | null) => words.test(element?.textContent ?? "");
    expect((await screen.findAllByText(is)).length).toBeGreaterThan(0);
  });

  it.each([
    ["rejected", null, /^Last webhook rejected\. The last webhook was rejected/, "#/activity?view=refused"],
    ["rejecting", null, /^Webhooks are rejected\. Several webhooks/, "#/activity?view=refused"],
    [
      "serverFailing",
      "Nobody is there.",
      /^Webhook server not reachable\. .* Nobody is there\.$/,
      "#/settings?section=receiver",
    ],
  ] as const)("says that webhooks do not come, and leads to the cause: %s", async (state, reason, name, place) => {
    const host = await withHealth({ webhooks: { state, at: Date.now(), reason } });
    const { user } = renderApp("/templates", host);
    await user.click(await screen.findByRole("link", { name }));
    await waitFor(() => expect(window.location.hash).toBe(place));
  });

  it("leads to the receiver where it failed, also after a rejected delivery", async () => {
    const host = await withHealth({ webhooks: { state: "rejected", at: Date.now(), reason: null } });
    const bootstrap = await host.call("get_bootstrap", {});
    const receiver = { ...(bootstrap.receiver as { address: string }), state: "failed", reason: "in use" } as const;
    host.answer("get_bootstrap", () => ({ ...bootstrap, receiver }) as typeof bootstrap);
    renderApp("/templates", host);
    const link = await screen.findByRole("link", { name: /^Receiver stopped/ });
    expect(link.getAttribute("href")).toContain("section=receiver");
  });

  it("says in one notice how far the clock is off", async () => {
    renderApp("/templates", await withHealth({ clockOffset: -86_400_000, clockDifference: -86_400_000 }));
    expect(await screen.findByText("The clocks of this computer and of your provider differ by 24 hours")).toBeTruthy();
    expect(screen.getAllByText(/how long you can reply by your provider's time/)).toHaveLength(1);
  });

  it.each([
    [true, "No se restauró", "Se restauró la copia de seguridad del"],
    [false, "Se restauró", "No se restauró la copia de seguridad del"],
  ])("says in the language of the window what became of a restored backup (%s)", async (isDone, not, sentence) => {
    window.history.replaceState(null, "", "?language=es");
    const host = createFakeHost({ templates: 40 });
    window.history.replaceState(null, "", "/");
    const bootstrap = await host.call("get_bootstrap", {});
    host.answer(
      "get_bootstrap",
      () => ({ ...bootstrap, restore: { at: 1_764_288_000_000, isDone } }) as typeof bootstrap,
    );
    renderApp("/templates", host);
    expect(await screen.findByText(new RegExp(`^${sentence}`))).toBeTruthy();
    expect(screen.queryByText(new RegExp(`^${not}`))).toBeNull();
  });

  it("says at the first answer that the clocks differ, without deciding which one is wrong", async () => {
    renderApp("/templates", await withHealth({ clockDifference: 86_400_000 }));
    expect(await screen.findByText("The clocks of this computer and of your provider differ by 24 hours")).toBeTruthy();
    expect(screen.getByText(/^An answer of your provider shows another time/)).toBeTruthy();
  });
});

describe("what happens meanwhile", () => {
  const template = { workspace: "sandbox", name: "sale", language: "en" };

  it("is said with what it was before", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    host.emit({ type: "templateCategoryChanged", ...template, before: "UTILITY", after: "MARKETING" });
    expect(await screen.findByText("sale (en) is now Marketing")).toBeTruthy();
    expect(screen.getByText("It was Utility.")).toBeTruthy();
    host.emit({ type: "templateQualityChanged", ...template, after: "RED" });
    expect(await screen.findByText("sale (en): quality is Low")).toBeTruthy();
    host.emit({ type: "templateQualityChanged", ...template, workspace: "acme", after: "GREEN" });
    expect(screen.queryByText("sale (en): quality is High")).toBeNull();
    host.emit({ type: "templateStatusChanged", ...template, event: "REJECTED", reason: "TAG_CONTENT_MISMATCH" });
    expect(await screen.findByText("sale (en): Rejected")).toBeTruthy();
    expect(screen.queryByText("TAG_CONTENT_MISMATCH")).toBeNull();
    host.emit({ type: "templateStatusChanged", ...template, name: "other", event: "REJECTED", reason: "NEW_REASON" });
    expect(await screen.findByText("New reason")).toBeTruthy();
  });

  it("is said of each account, and of one that the workspace does not have", async () => {
    const host = createFakeHost({ templates: 40 });
    await nameWabas(host, { "201": "Retail", "202": "Wholesale" });
    renderApp("/settings?section=about", host);
    await shown();
    const known = { ...template, reference: "t1" };
    host.emit({ type: "templateStatusChanged", ...known, event: "APPROVED", account: "201" });
    expect(await screen.findByText("Retail")).toBeTruthy();
    host.emit({ type: "templateStatusChanged", ...known, event: "REJECTED", reason: "SCAM", account: "202" });
    expect(await screen.findByText(/ · Wholesale$/)).toBeTruthy();
    expect(screen.getByText("sale (en): Approved")).toBeTruthy();
    host.emit({ type: "templateStatusChanged", ...template, name: "b", event: "APPROVED", account: "999" });
    expect(await screen.findByText("In account 999, which is not in this workspace.")).toBeTruthy();
  });

  it("of templates that left the list lead to them", async () => {
    const { host, user } = renderApp("/settings?section=about");
    await shown();
    host.emit({ type: "templatesRemoved", workspace: "acme", count: 4 });
    host.emit({ type: "templatesRemoved", workspace: "sandbox", count: 2 });
    expect(await screen.findByText("2 templates are no longer listed")).toBeTruthy();
    expect(screen.queryByText("4 templates are no longer listed")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show removed templates" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Removed templates" })).toBeTruthy();
  });

  it("of an account is said once in a sentence, also of another workspace", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    const notice: AccountNotice = {
      id: "7",
      at: Date.now(),
      meaning: "alert",
      severity: "critical",
      facts: [{ label: "alert", value: "NEW_TYPE" }],
    };
    host.emit({ type: "accountNotice", workspace: "acme", notice });
    expect(await screen.findByText(/^Acme Retail: WhatsApp sent an alert about this account\./)).toBeTruthy();
    expect(screen.getByText("Alert: NEW_TYPE")).toBeTruthy();
  });

  it("of accounts is one at a time, with how many others there are", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    const notice = (id: string): AccountNotice => ({
      id,
      at: Date.now(),
      meaning: "alert",
      severity: "critical",
      facts: [],
    });
    for (const id of ["8", "9", "10"]) host.emit({ type: "accountNotice", workspace: "acme", notice: notice(id) });
    expect(await screen.findByText("2 more notices under Needs attention.")).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText(/^Acme Retail: WhatsApp sent an alert/)).toHaveLength(1));
    const good: AccountNotice = { ...notice("11"), meaning: "limitRaised", severity: "information" };
    host.emit({ type: "accountNotice", workspace: "acme", notice: good });
    const alert = { ...notice("12"), facts: [{ label: "alert", value: "NEW_TYPE" }] };
    host.emit({ type: "accountNotice", workspace: "acme", notice: alert });
    expect(await screen.findByText("Alert: NEW_TYPE · 3 more notices under Needs attention.")).toBeTruthy();
    expect(screen.queryByText(/limit was raised/)).toBeNull();
  });

  it("takes the place of the notification of the submission", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    notifications.show({ id: statusToast("sale", "en"), message: "submitted", autoClose: false });
    expect(await screen.findByText("submitted")).toBeTruthy();
    host.emit({ type: "templateStatusChanged", ...template, event: "APPROVED" });
    expect(await screen.findByText("sale (en): Approved")).toBeTruthy();
    await waitFor(() => expect(screen.queryByText("submitted")).toBeNull());
  });

  it("is said in one where it is much", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    for (const name of ["a", "b", "c", "d", "e"]) {
      host.emit({ type: "templateStatusChanged", ...template, name, event: "APPROVED" });
    }
    expect(await screen.findByText("5 templates changed")).toBeTruthy();
    expect(screen.queryByText("e (en): Approved")).toBeNull();
  });

  it("is said of any workspace, by its name, where it keeps webhooks or calls from working", async () => {
    const { host } = renderApp("/settings?section=about");
    await shown();
    host.emit({ type: "webhooksFailing", workspace: "acme", refused: 3, reason: "mismatch" });
    expect(await screen.findByText("Webhooks of “Acme Retail” are rejected")).toBeTruthy();
    host.emit({ type: "tokenExpiring", workspace: "acme", name: "Acme Retail", days: 3 });
    expect(await screen.findByText("The token of “Acme Retail” expires soon")).toBeTruthy();
    host.emit({ type: "tokenExpiring", workspace: "acme", name: "Acme Retail", days: -1 });
    expect(await screen.findByText("The token of “Acme Retail” has expired")).toBeTruthy();
    host.emit({ type: "windowHidden" });
    expect(await screen.findByText("Template Desk kept receiving webhooks")).toBeTruthy();
  });
});

describe("an address from the host", () => {
  it("is opened in its workspace", async () => {
    const { host } = renderApp("/sends");
    await shown();
    host.emit({
      type: "open",
      workspace: "acme",
      place: "/templates/5f3b8f0e-0000-4000-8000-000000000003?tab=history",
    });
    await waitFor(() =>
      expect(window.location.hash).toBe("#/templates/5f3b8f0e-0000-4000-8000-000000000003?tab=history"),
    );
    expect((await shown()).textContent).toContain("Acme Retail");
  });

  it.each(["/nowhere", "//elsewhere.example/x", "javascript:alert(1)"])(
    "is no way out of the window: %s",
    async (place) => {
      const { host } = renderApp("/settings?section=about");
      await shown();
      host.emit({ type: "open", workspace: "", place });
      await waitFor(() => expect(window.location.hash).toBe("#/settings"));
      expect((await shown()).textContent).toContain("Sandbox");
    },
  );

  const routes = ["/templates", "/templates/1"];
  it.each([
    ["/templates", true],
    ["/templates/1?tab=history", true],
    ["/nowhere", false],
    ["/", false],
    ["//elsewhere.example/templates", false],
    ["/\\elsewhere.example", false],
    ["https://elsewhere.example/templates", false],
    ["javascript:alert(1)", false],
    ["templates", false],
    ["", false],
  ])("%j is an address of the window: %s", (place, is) => {
    expect(isScreen(place, (path) => routes.includes(path))).toBe(is);
  });
});

it.each([
  ["languages", "Templates: languages", "#/templates?view=languages", "Templates"],
  ["submit a folder", "Templates: submit a folder", "#/templates/import", "Submit a folder"],
  ["removed", "Templates: removed", "#/templates/removed", "Removed templates"],
])("the command for %s leads there", async (words, name, address, title) => {
  const { user } = renderApp("/review");
  await shown();
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search and commands" }), words);
  await user.click(await screen.findByRole("button", { name }));
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
  expect(window.location.hash).toBe(address);
});

it("is found among the commands, as are places within a screen", async () => {
  const { user } = renderApp("/templates");
  await shown();
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search and commands" }), "reviews");
  await user.click(await screen.findByRole("button", { name: "Insights: reviews" }));
  await waitFor(() => expect(window.location.hash).toBe("#/insights?tab=reviews"));
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Search and commands" }), "acme");
  await user.click(await screen.findByRole("button", { name: /Switch workspace: Acme Retail/ }));
  await waitFor(async () => expect((await shown()).textContent).toContain("Acme Retail"));
});
