import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { FeedGap, FeedSource, FeedState } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";

const RECEIVER = "/settings?section=receiver";
const ADDRESS = "https://hooks.example.com/feed";
const TOKEN = "tdk_secret-of-ana";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const card = async () => within(await screen.findByRole("region", { name: "Servers you follow" }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

const feed = (state: FeedState, extra: Partial<FeedSource> = {}): FeedSource => ({
  id: "feed-1",
  workspace: "acme",
  address: ADDRESS,
  endpoint: null,
  state,
  lastEventAt: null,
  gaps: [],
  ...extra,
});

const YEAR = new Date().getFullYear();
const GAP: FeedGap = {
  why: "removed",
  reason: "removed",
  deliveries: 1_280,
  after: new Date(YEAR - 1, 10, 3).getTime(),
  before: new Date(YEAR - 1, 10, 5).getTime(),
};

function hostWith(...feeds: FeedSource[]): FakeHost {
  const host = createFakeHost({ templates: 40 });
  let rows = feeds;
  host.answer("list_feeds", () => ({ rows }));
  host.answer("delete_feed", ({ id }) => {
    rows = rows.filter((row) => row.id !== id);
    return { rows };
  });
  return host;
}

describe("without a server", () => {
  it("says what to run on the server", async () => {
    renderApp(RECEIVER);
    const shown = await card();
    expect(await shown.findByText(/tdesk receive [\s\S]*--feed-listen/)).toBeTruthy();
    expect(shown.getByText(/tdesk desk add NAME/)).toBeTruthy();
    expect(shown.getByRole("button", { name: "Follow a server" })).toBeTruthy();
    const help = shown.getByRole("link", { name: "How to follow a server" });
    expect(help.getAttribute("href")).toContain("follow-a-receiver-on-a-server");
  });

  it("leads to a provider where only the sandbox exists", async () => {
    const host = createFakeHost({ templates: 40 });
    const bootstrap = await host.call("get_bootstrap", {});
    const workspaces = bootstrap.workspaces.filter(({ sandbox }) => sandbox);
    host.answer("get_bootstrap", () => ({ ...bootstrap, workspaces }));
    renderApp(RECEIVER, host);
    const shown = await card();
    expect(shown.getByText(/Connect a provider first/)).toBeTruthy();
    expect(shown.getByRole("link", { name: "Add workspace" })).toBeTruthy();
    expect(shown.queryByRole("button", { name: "Follow a server" })).toBeNull();
  });
});

describe("the form", () => {
  it("shows an error at its field, keeps what was typed, and adds the server", async () => {
    const { host, user } = renderApp(RECEIVER);
    await user.click(await (await card()).findByRole("button", { name: "Follow a server" }));
    const form = await dialog("Follow a server");
    const token = form.getByLabelText<HTMLInputElement>(/^Access token/);
    await user.type(form.getByRole("textbox", { name: /^Server address/ }), ADDRESS);
    await user.type(token, TOKEN);
    host.answer("save_feed", () =>
      refusal({ code: "invalidInput", field: "token", message: "The server refuses the token." }),
    );
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("The server refuses the token.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(token));
    expect(token.value).toBe(TOKEN);
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /^Server address/ }).value).toBe(ADDRESS);

    host.answer("save_feed", () => {
      const rows = [feed({ state: "connecting" })];
      host.answer("list_feeds", () => ({ rows }));
      return { rows };
    });
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await (await card()).findByText("Connecting…")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked(host, "save_feed").at(-1)?.request).toEqual({
      id: null,
      workspace: "acme",
      address: ADDRESS,
      endpoint: null,
      token: TOKEN,
      sessionOnly: false,
    });
    expect(document.body.innerHTML).not.toContain(TOKEN);
  });

  it("says what the token sees, or what is wrong at its field", async () => {
    const { host, user } = renderApp(RECEIVER);
    await user.click(await (await card()).findByRole("button", { name: "Follow a server" }));
    const form = await dialog("Follow a server");
    const address = form.getByRole("textbox", { name: /^Server address/ });
    await user.type(address, "hooks");
    await user.click(form.getByRole("button", { name: "Test" }));
    expect(await form.findByText(/Enter the address of the server's feed/)).toBeTruthy();
    await user.clear(address);
    await user.type(address, ADDRESS);
    await user.type(form.getByLabelText(/^Access token/), TOKEN);
    await user.click(form.getByRole("button", { name: "Test" }));
    const report = await form.findByText(/The token works/);
    expect(report.textContent).toContain("“Ana”");
    expect(report.textContent).toContain("/webhook/acme");
    expect(report.textContent).toContain("1,204 deliveries");
    expect(asked(host, "save_feed")).toHaveLength(0);
    // What was tested is no longer what is typed.
    await user.type(form.getByRole("textbox", { name: /^Webhook path/ }), "/webhook");
    expect(form.queryByText(/The token works/)).toBeNull();
  });

  it("keeps the stored token where none is typed", async () => {
    const host = hostWith(feed({ state: "connected" }));
    const { user } = renderApp(RECEIVER, host);
    await user.click(await (await card()).findByRole("button", { name: `Change ${ADDRESS}` }));
    const form = await dialog("Change the server");
    const token = form.getByLabelText<HTMLInputElement>(/^Access token/);
    expect(token.value).toBe("");
    expect(token.placeholder).toBe("Stored; type to replace it");
    await user.type(form.getByRole("textbox", { name: /^Webhook path/ }), "/webhook");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(asked(host, "save_feed").at(-1)?.request).toMatchObject({
        id: "feed-1",
        token: null,
        endpoint: "/webhook",
      }),
    );
  });

  it("never stores the token with what was typed", async () => {
    const { host, user } = renderApp(RECEIVER);
    await user.click(await (await card()).findByRole("button", { name: "Follow a server" }));
    const form = await dialog("Follow a server");
    await user.type(form.getByRole("textbox", { name: /^Server address/ }), ADDRESS);
    await user.type(form.getByLabelText(/^Access token/), TOKEN);
    expect(form.getByLabelText(/^Access token/).getAttribute("type")).toBe("password");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(JSON.stringify(asked(host, "save_unfinished_form"))).toContain(ADDRESS));
    expect(JSON.stringify(asked(host, "save_unfinished_form"))).not.toContain(TOKEN);
    await user.click((await card()).getByRole("button", { name: "Follow a server" }));
    const again = await dialog("Follow a server");
    expect(again.getByRole<HTMLInputElement>("textbox", { name: /^Server address/ }).value).toBe(ADDRESS);
    expect(again.getByLabelText<HTMLInputElement>(/^Access token/).value).toBe("");
    await user.click(again.getByRole("button", { name: "Discard changes" }));
    expect(again.getByRole<HTMLInputElement>("textbox", { name: /^Server address/ }).value).toBe("");
  });

  it("offers to keep the token for this session where the keyring does not store it", async () => {
    const host = hostWith();
    host.answer("save_feed", ({ sessionOnly }) =>
      sessionOnly
        ? { rows: [] }
        : refusal({
            code: "keyringUnavailable",
            problem: "denied",
            reason: "the collection refused",
            field: "token",
            stale: false,
          }),
    );
    const { user } = renderApp(RECEIVER, host);
    await user.click(await (await card()).findByRole("button", { name: "Follow a server" }));
    const form = await dialog("Follow a server");
    await user.type(form.getByRole("textbox", { name: /^Server address/ }), ADDRESS);
    await user.type(form.getByLabelText(/^Access token/), TOKEN);
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.click(await form.findByRole("button", { name: "Keep for this session and save" }));
    await waitFor(() =>
      expect(asked(host, "save_feed").at(-1)?.request).toMatchObject({ token: TOKEN, sessionOnly: true }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("a server that is followed", () => {
  it.each<[FeedState, RegExp]>([
    [{ state: "connecting" }, /^Connecting…$/],
    [{ state: "connected" }, /^Up to date$/],
    [{ state: "behind", count: 48_120 }, /^Fetching: 48,120 deliveries left$/],
    [{ state: "refused", reason: "It was revoked." }, /^The token does not work$/],
    [{ state: "failed", reason: "No answer." }, /^Can't fetch webhooks$/],
  ])("has its state in words: %j", async (state, words) => {
    renderApp(RECEIVER, hostWith(feed(state)));
    const row = within(await (await card()).findByRole("listitem"));
    expect(row.getByText(words)).toBeTruthy();
    expect(row.getByText("Acme Retail · All webhook URLs the token sees")).toBeTruthy();
    if ("reason" in state) expect(row.getByText(new RegExp(state.reason))).toBeTruthy();
    expect(row.queryByText(/We try again automatically/) !== null).toBe(state.state === "failed");
  });

  it("follows the events of the host", async () => {
    const host = hostWith(feed({ state: "connecting" }));
    renderApp(RECEIVER, host);
    const shown = await card();
    expect(await shown.findByText("Connecting…")).toBeTruthy();
    const rows = [feed({ state: "connected" }, { endpoint: "/webhook", lastEventAt: Date.now() })];
    host.answer("list_feeds", () => ({ rows }));
    host.emit({ type: "feedsChanged" });
    expect(await shown.findByText(/^Up to date · Last event/)).toBeTruthy();
    expect(shown.getByText("Acme Retail · /webhook")).toBeTruthy();
  });

  it.each<[FeedGap, RegExp]>([
    [
      GAP,
      /^Up to 1,280 webhooks were removed on the server .*Received between Nov 3, \d+ and Nov 5, .*Refresh the templates/,
    ],
    [{ ...GAP, deliveries: 1, after: null }, /^1 webhook was removed .*Received before Nov 5, /],
    [{ ...GAP, reason: "altered", why: "altered" }, /^1,280 webhooks are damaged on the server/],
    [{ ...GAP, reason: "missing", why: "missing" }, /^Up to 1,280 webhooks are missing on the server/],
    [{ ...GAP, reason: "other", why: "moved" }, /^The server did not send up to 1,280 webhooks: moved\./],
  ])("says what the server could not give: %j", async (gap, words) => {
    renderApp(RECEIVER, hostWith(feed({ state: "connected" }, { gaps: [gap] })));
    const gaps = within(await (await card()).findByRole("list", { name: "Webhooks that are missing here" }));
    expect(gaps.getByRole("listitem").textContent).toMatch(words);
  });

  it("shows what the server could not give until it is dismissed", async () => {
    const host = hostWith(feed({ state: "connected" }, { gaps: [GAP] }));
    host.answer("dismiss_feed_gap", () => {
      const rows = [feed({ state: "connected" })];
      host.answer("list_feeds", () => ({ rows }));
      return { rows };
    });
    const { user } = renderApp(RECEIVER, host);
    const shown = await card();
    await user.click(await shown.findByRole("button", { name: /^Dismiss: Up to 1,280 webhooks/ }));
    const request = { feed: "feed-1", why: "removed", deliveries: 1_280 };
    await waitFor(() => expect(asked(host, "dismiss_feed_gap").at(-1)?.request).toEqual(request));
    await waitFor(() => expect(shown.queryByText(/1,280 webhooks/)).toBeNull());
    expect(shown.getByText("Up to date")).toBeTruthy();
  });

  it("is followed no longer after a confirmation", async () => {
    const host = hostWith(feed({ state: "connected" }));
    const { user } = renderApp(RECEIVER, host);
    const shown = await card();
    await user.click(await shown.findByRole("button", { name: `Stop following ${ADDRESS}` }));
    const question = await dialog("Stop following this server?");
    expect(question.getByText(/stay on this computer\. The token is deleted here/)).toBeTruthy();
    expect(asked(host, "delete_feed")).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Stop following" }));
    await waitFor(() => expect(asked(host, "delete_feed").at(-1)?.request).toEqual({ id: "feed-1" }));
    expect(await shown.findByText(/tdesk desk add NAME/)).toBeTruthy();
  });
});
