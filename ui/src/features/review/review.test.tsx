import { createFakeHost, type FakeHost, nameWabas, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AccountNotice, FeedGap, FeedSource, ReviewBoardQuery } from "@/bindings/app";
import { templateQuery } from "@/lib/template-filter";

const column = (name: RegExp) => screen.findByRole("region", { name });
const asked = (host: FakeHost) => {
  const call = host.calls.findLast(({ name }) => name === "get_review_board");
  return (call?.request as ReviewBoardQuery | undefined)?.query;
};
const DAY = 86_400_000;
const focused = () => document.activeElement?.textContent;

it("is decided by hand in the sandbox, with a reason for a rejection", async () => {
  const { host, user } = renderApp("/review");
  const pending = await column(/^Pending/);
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
  const pending = await column(/^Pending/);
  expect(within(pending).getAllByRole("link").length).toBeGreaterThan(0);
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
});

describe("the columns", () => {
  it("hold drafts first and what is archived last, each with its number", async () => {
    renderApp("/review");
    const board = await screen.findByRole("region", { name: "Review board" });
    const names = within(board)
      .getAllByRole("region")
      .map((one) => one.getAttribute("aria-label"));
    expect(names[0]).toBe("Drafts: 1");
    expect(names.at(-1)).toMatch(/^Archived: \d+$/);
    const drafts = within(await column(/^Drafts/));
    expect(drafts.getByRole("link", { name: "summer_sale_follow_up" })).toBeDefined();
  });

  it("show the requested and the actual category, and when the channel may delete", async () => {
    const host = createFakeHost({ templates: 40 });
    const board = await host.call("get_review_board", { query });
    const [row] = board.columns.find(({ status }) => status === "APPROVED")?.rows ?? [];
    if (!row) throw new Error("an approved template");
    const later = Date.now() + 12.2 * 86_400_000;
    host.answer("get_review_board", () => ({
      ...board,
      columns: [
        { status: "APPROVED", count: 1, rows: [{ ...row, askedCategory: "UTILITY", category: "MARKETING" }] },
        { status: "PENDING_DELETION", count: 1, rows: [{ ...row, reference: "d", status: "PENDING_DELETION" }] },
        { status: "NEW_WORD", count: 1, rows: [{ ...row, reference: "n", status: "NEW_WORD" }] },
        { status: "ARCHIVED", count: 1, rows: [{ ...row, reference: "a", archived: true, upstreamDeletionAt: later }] },
      ],
    }));
    renderApp("/review", host);
    const approved = within(await column(/^Approved: 1/));
    expect(approved.getByText("Requested Utility, got Marketing")).toBeDefined();
    expect(within(await column(/^New word: 1/)).getByRole("link")).toBeDefined();
    expect((await column(/^Archived: 1/)).textContent).toContain("Deleted in 12 days (WhatsApp's rule)");
  });

  it("lead on to the list, narrowed as the board is", async () => {
    const { user } = renderApp("/review?category=UTILITY", createFakeHost());
    const approved = within(await column(/^Approved/));
    await user.click(approved.getByRole("link", { name: /^\d+ more$/ }));
    await waitFor(() => expect(window.location.hash).toContain("/templates?"));
    expect(window.location.hash).toContain("status=APPROVED");
    expect(window.location.hash).toContain("category=UTILITY");
  });

  it("close to a strip where they are empty, and open and close by hand", async () => {
    const host = createFakeHost({ templates: 1 });
    const { user } = renderApp("/review", host);
    const paused = within(await column(/^Paused: 0/));
    await user.click(paused.getByRole("button", { name: "Paused 0" }));
    await user.click(within(await column(/^Paused: 0/)).getByRole("button", { name: "Close column Paused" }));
    expect(
      within(await column(/^Paused: 0/))
        .getByRole("button")
        .getAttribute("aria-expanded"),
    ).toBe("false");
  });
});

describe("in several accounts", () => {
  const [retail, shoes] = ["102290129340398", "102290129340411"];
  const withNames = async () => {
    const host = createFakeHost({ templates: 40 });
    await nameWabas(host, { [retail]: "Retail", [shoes]: "Shoes" });
    return host;
  };

  it("the columns are statuses or accounts, which is remembered", async () => {
    const host = await withNames();
    const { user } = renderApp("/review", host);
    await user.click(await screen.findByRole("radio", { name: "By account" }));
    const lane = within(await column(/^Retail: \d+$/));
    expect(lane.getAllByText("Approved").length).toBeGreaterThan(0);
    expect(screen.queryByRole("region", { name: /^Pending/ })).toBeNull();
    expect(await column(/^Archived: \d+$/)).toBeDefined();
    expect(window.location.hash).toContain("lanes=account");
    const views = async () => (await host.call("get_list_views", { workspace: "sandbox" })).last.review;
    await waitFor(async () => expect(await views()).toBe("lanes:account"));
    await user.click(screen.getByRole("radio", { name: "By status" }));
    expect(await column(/^Pending/)).toBeDefined();
  });

  it("cards show differing statuses, and a category that is only announced with its date", async () => {
    const host = await withNames();
    const board = await host.call("get_review_board", { query });
    const [row] = board.columns.find(({ status }) => status === "REJECTED")?.rows ?? [];
    if (!row) throw new Error("a rejected template");
    host.answer("get_review_board", () => ({
      ...board,
      columns: [{ status: "REJECTED", count: 1, rows: [row] }],
      differing: {
        [row.reference]: [
          { waba: shoes, status: "REJECTED" },
          { waba: retail, status: "APPROVED" },
        ],
      },
      comingCategories: { [row.reference]: { category: "marketing", at: Date.UTC(2027, 0, 5, 12) } },
      flagged: { [row.reference]: { kind: "flagged", disabledOn: "2026-12-03" } },
    }));
    renderApp("/review", host);
    const card = within(await column(/^Rejected: 1/));
    const statuses = within(card.getByRole("list", { name: "Status in each account" })).getAllByRole("listitem");
    expect(statuses.map(({ textContent }) => textContent)).toEqual(["Rejected Shoes", "Approved Retail"]);
    expect(card.getByRole("article").textContent).toContain("WhatsApp changes the category to Marketing");
    expect(card.getByRole("article").textContent).toContain("2027");
    expect(card.getByText("Will be disabled 2026-12-03")).toBeTruthy();
  });
});

describe("a category that costs more", () => {
  const month = {
    currency: "USD",
    isSample: false,
    before: "0.0136",
    after: "12.5",
    added: "12.4864",
    messages: 200,
    unknown: 0,
  };

  it("says what it adds to a month, until when it can be reviewed, and leads to a new text", async () => {
    const host = createFakeHost({ templates: 40 });
    const board = await host.call("get_review_board", { query });
    const [row] = board.columns.find(({ status }) => status === "APPROVED")?.rows ?? [];
    if (!row) throw new Error("an approved template");
    const raised = { ...row, category: "marketing", askedCategory: "utility" };
    host.answer("get_review_board", () => ({
      ...board,
      columns: [{ status: "APPROVED", count: 1, rows: [raised] }],
      raisedCategories: { [row.reference]: { appealUntil: Date.now() + 40 * 86_400_000, month } },
      needs: { ...board.needs, categoryChanged: 1, raisedMonth: month },
    }));
    const { user } = renderApp("/review", host);
    const card = within(await column(/^Approved: 1/));
    expect(card.getByText("About $12.49 more a month")).toBeDefined();
    expect(card.getByText(/^Review possible until /)).toBeDefined();
    expect(screen.getByRole("button", { name: "1 category changed · About $12.49 more a month" })).toBeDefined();
    await user.click(card.getByRole("button", { name: `Write a new utility text for ${row.name}` }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "create_draft")?.request).toMatchObject({
        fromTemplate: row.reference,
        asUtility: true,
      }),
    );
  });
});

describe("by keyboard", () => {
  it("one goes from card to card, and each column is one stop", async () => {
    const { user } = renderApp("/review");
    const drafts = within(await column(/^Drafts/));
    const pending = within(await column(/^Pending/));
    const [first, second] = pending.getAllByRole("link");
    drafts.getByRole("link").focus();
    await user.keyboard("{ArrowRight}");
    expect(document.activeElement).toBe(first);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(second);
    expect(first?.tabIndex).toBe(-1);
    expect(second?.tabIndex).toBe(0);
    await user.keyboard("{Home}");
    expect(document.activeElement).toBe(first);
    await user.keyboard("{ArrowUp}{ArrowLeft}{ArrowLeft}");
    expect(focused()).toBe("summer_sale_follow_up");
  });

  it("F begins to fix a rejected template, with the guidance of its rejection", async () => {
    const { host, user } = renderApp("/review");
    const rejected = within(await column(/^Rejected/));
    rejected.getAllByRole("link")[0]?.focus();
    await user.keyboard("f");
    await screen.findByRole("form", { name: "Template" });
    expect(host.calls.find(({ name }) => name === "create_draft")?.request).toMatchObject({
      fromTemplate: "5f3b8f0e-0000-4000-8000-000000000003",
      edit: true,
    });
  });

  it("F does nothing on a card that needs no fix", async () => {
    const { host, user } = renderApp("/review");
    const approved = within(await column(/^Approved/));
    approved.getAllByRole("link")[0]?.focus();
    await user.keyboard("f");
    expect(host.calls.some(({ name }) => name === "create_draft")).toBe(false);
  });
});

it("says at the card why a fix could not begin", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("create_draft", () => refusal({ code: "conflict", message: "It is being edited elsewhere." }));
  const { user } = renderApp("/review", host);
  await user.click((await screen.findAllByRole("button", { name: /^Fix / }))[0] as HTMLElement);
  expect(await screen.findByText("It is being edited elsewhere.")).toBeDefined();
});

describe("what needs attention", () => {
  it("narrows the board, and gives it back", async () => {
    const { user } = renderApp("/review");
    const needs = within(await screen.findByRole("region", { name: "Needs attention" }));
    await user.click(needs.getByRole("button", { name: /rejected$/ }));
    await waitFor(() => expect(screen.queryByRole("region", { name: /^Approved/ })).toBeNull());
    expect(await column(/^Rejected/)).toBeDefined();
    expect(window.location.hash).toContain("status=REJECTED");
    await user.click(needs.getByRole("button", { name: /rejected$/ }));
    expect(await column(/^Approved/)).toBeDefined();
  });

  it("lists what happened to accounts in plain sentences, until it is dismissed", async () => {
    const host = createFakeHost({ templates: 40 });
    const { settings } = await host.call("get_workspace", { workspace: "sandbox" });
    const account = settings.numbers[0]?.wabaId ?? "";
    let notices: AccountNotice[] = [
      {
        id: "7",
        at: Date.now() - 60_000,
        account: "102",
        meaning: "accountRestricted",
        severity: "critical",
        facts: [
          { label: "restriction", value: "RESTRICTED_BIZ_INITIATED_MESSAGING" },
          { label: "restriction", value: "SOMETHING_NEW" },
        ],
      },
      {
        id: "8",
        at: Date.now() - 60_000,
        account,
        meaning: "limitLowered",
        severity: "warning",
        facts: [
          { label: "previousLimit", value: "UNLIMITED" },
          { label: "limit", value: "1000" },
        ],
      },
      {
        id: "9",
        at: Date.now() - 60_000,
        account: "102",
        meaning: "limitChanged",
        severity: "warning",
        facts: [{ label: "limit", value: "10000" }],
      },
      {
        id: "10",
        at: Date.now() - 60_000,
        meaning: "limitChanged",
        severity: "warning",
        facts: [{ label: "limit", value: "UNLIMITED" }],
      },
    ];
    host.answer("list_account_notices", () => notices);
    host.answer("dismiss_account_notice", ({ id }) => {
      notices = notices.filter((notice) => notice.id !== id);
      return {};
    });
    const { user } = renderApp("/review", host);
    const list = within(await screen.findByRole("list", { name: "Accounts and numbers" }));
    const texts = list.getAllByRole("listitem").map((row) => row.textContent);
    expect(texts[0]).toContain("WhatsApp restricted this business account.");
    expect(texts[0]).toContain(
      "Restriction: you can't start conversations · Restriction: SOMETHING_NEW · In account 102, which is not in this workspace.",
    );
    expect(texts[1]).toContain(`Before: no limit · Limit: 1,000 people in 24 hours · Account (WABA): ${account}`);
    expect(texts[2]).toMatch(
      /^You can now start conversations with 10,000 people in 24 hours\. In account 102, which is not in this workspace\. ·/,
    );
    expect(texts[3]).toMatch(/^Your messaging limit changed\. Limit: no limit ·/);
    await user.click(list.getByRole("button", { name: /^Dismiss: WhatsApp restricted/ }));
    await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(3));
  });

  it("lists what followed servers of the workspace could not give, until it is dismissed", async () => {
    const host = createFakeHost({ templates: 40 });
    const gap: FeedGap = { why: "altered", reason: "altered", deliveries: 2, after: 1_000, before: 2_000 };
    const feed: FeedSource = {
      id: "feed-1",
      workspace: "acme",
      address: "https://hooks.example.com/feed",
      state: { state: "connected" },
      gaps: [gap],
    };
    let rows = [feed, { ...feed, id: "feed-2", workspace: "other" }];
    host.answer("list_feeds", () => ({ rows }));
    host.answer("dismiss_feed_gap", () => {
      rows = rows.map((row) => ({ ...row, gaps: [] }));
      return { rows };
    });
    const bootstrap = await host.call("get_bootstrap", {});
    const preferences = { ...bootstrap.preferences, workspace: "acme" };
    host.answer("get_bootstrap", () => ({ ...bootstrap, preferences }));
    const { user } = renderApp("/review", host);
    const list = within(await screen.findByRole("list", { name: "Webhooks that are missing here" }));
    expect(list.getAllByRole("listitem")).toHaveLength(1);
    expect(list.getByRole("listitem").textContent).toContain("https://hooks.example.com/feed · Received between");
    expect(screen.queryByText("Nothing needs attention.")).toBeNull();
    await user.click(list.getByRole("button", { name: /^Dismiss: 2 webhooks are damaged/ }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Webhooks that are missing here" })).toBeNull());
  });

  it("asks the host for what changed its category", async () => {
    const { host, user } = renderApp("/review");
    const needs = within(await screen.findByRole("region", { name: "Needs attention" }));
    await user.click(needs.getByRole("button", { name: /categor.* changed$/ }));
    await waitFor(() => expect(asked(host)).toMatchObject({ categoryChanged: true }));
  });

  it("counts among all templates, and says what usual means", async () => {
    const host = createFakeHost({ templates: 40 });
    const board = await host.call("get_review_board", { query });
    const [row] = board.columns.find(({ status }) => status === "PENDING")?.rows ?? [];
    if (!row) throw new Error("a pending template");
    const since = (reference: string, hours: number | null) => ({
      ...row,
      reference,
      name: reference,
      stateSince: hours === null ? null : Date.now() - hours * 3_600_000,
    });
    const needs = { ...board.needs, overdue: 1200, overdueBefore: Date.now() - 2 * 3_600_000, usualMs: 2 * 3_600_000 };
    host.answer("get_review_board", () => ({
      ...board,
      columns: [{ status: "PENDING", count: 900, rows: [since("late", 3), since("new", 1), since("unknown", null)] }],
      needs: { ...needs, usualSeen: true },
    }));
    const { user } = renderApp("/review", host);
    const pending = within(await column(/^Pending/));
    const late = pending.getAllByRole("article").map(({ textContent }) => textContent?.includes("than usual"));
    expect(late).toEqual([true, false, false]);
    const need = screen.getByRole("button", { name: "1,200 pending longer than usual" });
    await user.hover(need);
    expect((await screen.findByRole("tooltip")).textContent).toContain("ended within 2 hours");
    await user.click(need);
    await waitFor(() => expect(asked(host)).toMatchObject({ overdue: true, categoryChanged: null }));
    expect(window.location.hash).toContain("overdue=yes");
    await user.click(screen.getByRole("button", { name: /categor.* changed$/ }));
    await waitFor(() => expect(asked(host)).toMatchObject({ overdue: null, categoryChanged: true }));
  });
});

it("counts what WhatsApp will archive or delete, says when, and offers a send", async () => {
  const host = createFakeHost({ templates: 40 });
  const board = await host.call("get_review_board", { query });
  const [row] = board.columns.find(({ status }) => status === "APPROVED")?.rows ?? [];
  if (!row) throw new Error("an approved template");
  const until = Date.now() + 60 * DAY;
  const of = (reference: string, archivedAt: number) => ({
    ...row,
    reference,
    name: reference,
    archival: { kind: "coming" as const, lastActivity: archivedAt - 365 * DAY, archivedAt },
  });
  const rows = [of("soon", Date.now() + 20 * DAY), of("due", Date.now() - DAY), of("later", until + DAY)];
  host.answer("get_review_board", () => ({
    ...board,
    columns: [{ status: "APPROVED", count: 3, rows }],
    needs: { ...board.needs, atRisk: 2, riskUntil: until },
  }));
  const { user } = renderApp("/review", host);
  const cards = within(await column(/^Approved/)).getAllByRole("article");
  const risk = cards.map(({ textContent }) =>
    textContent?.match(/Archived .* unless used|Unused since/)?.[0].slice(0, 8),
  );
  expect(risk).toEqual(["Archived", "Unused s", undefined]);
  expect(within(cards[0] as HTMLElement).getByRole("link", { name: "Test send of soon" })).toBeDefined();
  const need = screen.getByRole("button", { name: "2 at risk" });
  await user.hover(need);
  expect((await screen.findByRole("tooltip")).textContent).toContain("What was sent elsewhere is unknown here");
  await user.click(need);
  await waitFor(() => expect(asked(host)).toMatchObject({ atRisk: true, overdue: null }));
});

it("is narrowed as it was when it was left", async () => {
  const host = createFakeHost({ templates: 40 });
  await host.call("save_list_views", {
    workspace: "sandbox",
    views: { last: { review: "language:pt_BR" }, saved: [] },
  });
  renderApp("/review", host);
  await waitFor(() => expect(asked(host)).toMatchObject({ languages: ["pt_BR"], statuses: [] }));
  expect(window.location.hash).toContain("language=pt_BR");
});

it("says when nothing matches, and clears the filters", async () => {
  const host = createFakeHost({ templates: 40 });
  const board = await host.call("get_review_board", { query });
  host.answer("get_review_board", (request) =>
    request.query.search ? { ...board, columns: [], drafts: [], draftCount: 0 } : board,
  );
  const { user } = renderApp("/review?q=nosuch", host);
  await user.click(await screen.findByRole("button", { name: "Clear search and filters" }));
  expect(await column(/^Approved/)).toBeDefined();
});

it("says why the board cannot be shown", async () => {
  const host = createFakeHost({ templates: 40 });
  host.answer("get_review_board", () => refusal({ code: "storage", reason: "disk I/O error" }));
  renderApp("/review", host);
  expect(await screen.findByText("disk I/O error")).toBeDefined();
});

const query = { ...templateQuery("sandbox", { archived: "all" }), offset: 0, limit: 50 };
