import { createFakeHost, type FakeHost, nameWabas, refusal } from "@test/fake-host";
import { layOut } from "@test/lay-out";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { ExportTemplates, TemplateQuery } from "@/bindings/app";

const grid = () => screen.findByRole("grid", { name: "Templates" });
const rows = async () => within(await grid()).findAllByRole("row");
const questions = (host: FakeHost) =>
  host.calls.filter(({ name }) => name === "list_templates").map(({ request }) => request as TemplateQuery);
const lastQuestion = (host: FakeHost) => questions(host).findLast(({ limit }) => limit > 1);
const search = () => screen.findByRole("searchbox", { name: "Search names and texts" });

describe("a long list", () => {
  it("spans all templates, and asks for a part of them only, wherever one goes", async () => {
    const host = createFakeHost({ templates: 5_000 });
    const { user } = renderApp("/templates?archived=all", host);
    const list = await grid();
    expect(list.getAttribute("aria-rowcount")).toBe("5000");
    layOut(list);
    list.focus();
    await user.keyboard("{End}");
    await waitFor(() => expect(lastQuestion(host)?.offset).toBeGreaterThan(4_600));
    expect(await within(list).findByRole("row", { name: /^campaign_4999 / })).toBeDefined();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { level: 1, name: "campaign_4999" })).toBeDefined();
    for (const { limit } of questions(host)) expect(limit).toBeLessThanOrEqual(500);
  });

  it("says what is known of the age of a state, of quality and of sends", async () => {
    renderApp("/templates");
    await grid();
    expect(screen.getAllByText(/at the latest$/).length).toBeGreaterThan(0);
    // Only an unknown quality has a dash.
    expect(screen.getAllByText("–").every((dash) => dash.hasAttribute("aria-hidden"))).toBe(true);
    expect(screen.getAllByText(/^for \d/).length).toBeGreaterThan(0);
    expect(screen.getAllByText("requested: utility").length).toBeGreaterThan(0);
    expect(screen.getAllByText("Medium").length).toBeGreaterThan(0);
    expect(screen.getAllByText("Never").length).toBeGreaterThan(0);
  });
});

it("has a column and a filter for the accounts, and says where their statuses differ", async () => {
  const host = createFakeHost();
  await nameWabas(host, { "102290129340398": "Retail", "102290129340411": "Shoes" });
  const [waba, other] = ["102290129340398", "102290129340411"];
  const query = { workspace: "sandbox", offset: 0, limit: 50, statuses: [], categories: [], languages: [], wabas: [] };
  const all = { ...query, businesses: [], kinds: [], qualities: [], headers: [], sort: "newest" as const };
  const page = await host.call("list_templates", all);
  const row = page.rows.find(({ status, wabas }) => status === "REJECTED" && wabas.length > 1) ?? page.rows[0];
  const statuses = [
    { waba: other, status: row?.status ?? "" },
    { waba, status: "APPROVED" },
    { waba: "7", status: "DISABLED" },
  ];
  host.answer("list_templates", () => ({ ...page, differing: { [row?.reference ?? ""]: statuses } }));
  const { user } = renderApp("/templates", host);
  await grid();
  expect(screen.getByText("Account", { selector: "span[aria-hidden]" })).toBeDefined();
  expect((await screen.findAllByText("Retail, Shoes")).length).toBeGreaterThan(0);
  expect(screen.getByRole("img", { name: /^Shoes: .* · Retail: Approved · 7: Disabled$/ }).textContent).toMatch(
    /^(?!Approved).+Shoes.*ApprovedRetail\+1$/,
  );
  // Said of the row as well, and of those with one status only where they are.
  expect(screen.getByRole("row", { name: /, Shoes: .* · Retail: Approved · 7: Disabled$/ })).toBeDefined();
  expect(screen.getAllByRole("row", { name: /, Retail, Shoes$/ }).length).toBeGreaterThan(0);
  await user.click(screen.getByRole("button", { name: "Account" }));
  expect(await screen.findByRole("checkbox", { name: /^Shoes/ })).toBeDefined();
});

it("marks what will be disabled, though its status is still the one before", async () => {
  const host = createFakeHost();
  const query = { workspace: "sandbox", offset: 0, limit: 50, statuses: [], categories: [], languages: [], wabas: [] };
  const all = { ...query, businesses: [], kinds: [], qualities: [], headers: [], sort: "newest" as const };
  const page = await host.call("list_templates", all);
  const cause = { kind: "flagged", disabledAt: Date.UTC(2030, 11, 3, 12) } as const;
  host.answer("list_templates", () => ({ ...page, flagged: { [page.rows[0]?.reference ?? ""]: cause } }));
  renderApp("/templates", host);
  await grid();
  expect(await screen.findByText(/^Will be disabled .*2030/)).toBeTruthy();
  expect(screen.getByRole("row", { name: /, Will be disabled .*2030/ })).toBeTruthy();
});

it("does not promise a date that has passed", async () => {
  const host = createFakeHost();
  const query = { workspace: "sandbox", offset: 0, limit: 50, statuses: [], categories: [], languages: [], wabas: [] };
  const all = { ...query, businesses: [], kinds: [], qualities: [], headers: [], sort: "newest" as const };
  const page = await host.call("list_templates", all);
  const cause = { kind: "flagged", disabledAt: Date.UTC(2020, 11, 3, 12) } as const;
  host.answer("list_templates", () => ({ ...page, flagged: { [page.rows[0]?.reference ?? ""]: cause } }));
  renderApp("/templates", host);
  expect(await screen.findByText(/^Was to be disabled .*2020/)).toBeTruthy();
});

it("sorts by name, and says how it is sorted", async () => {
  const { host, user } = renderApp("/templates");
  await grid();
  await user.click(screen.getByRole("button", { name: "Sort by: Newest first" }));
  await user.click(await screen.findByRole("menuitem", { name: "Name" }));
  expect(await screen.findByRole("button", { name: "Sort by: Name" })).toBeDefined();
  await waitFor(() => expect(lastQuestion(host)?.sort).toBe("name"));
  expect(window.location.hash).toContain("sort=name");
  await user.click(screen.getByRole("button", { name: "Sort by: Name" }));
  const current = await screen.findByRole("menuitem", { current: true });
  expect(current.textContent).toBe("Name");
  await user.click(screen.getByRole("menuitem", { name: "Newest first" }));
  expect(await screen.findByRole("button", { name: "Sort by: Newest first" })).toBeDefined();
  expect(window.location.hash).not.toContain("sort");
});

it("shows the newest first where the address has an unknown order", async () => {
  const { user } = renderApp("/templates?sort=unknown");
  await grid();
  await user.click(screen.getByRole("button", { name: "Sort by: Newest first" }));
  expect((await screen.findByRole("menuitem", { current: true })).textContent).toBe("Newest first");
});

describe("filters", () => {
  it("are ticked, shown as chips, and taken back one by one", async () => {
    const { host, user } = renderApp("/templates");
    await grid();
    await user.click(screen.getByRole("button", { name: "Status" }));
    const dialog = await screen.findByRole("dialog", { name: "Status" });
    await user.click(within(dialog).getByRole("checkbox", { name: /^Rejected/ }));
    await user.click(within(dialog).getByRole("checkbox", { name: /^Paused/ }));
    await waitFor(() => expect(lastQuestion(host)).toMatchObject({ statuses: ["REJECTED", "PAUSED"], offset: 0 }));
    await user.click(screen.getByRole("button", { name: "Remove Status: Rejected" }));
    await waitFor(() => expect(lastQuestion(host)?.statuses).toEqual(["PAUSED"]));
    expect(window.location.hash).toContain("status=PAUSED");
  });

  it("that are used less are behind a button, with unspecified values", async () => {
    const { host, user } = renderApp("/templates");
    await grid();
    await user.click(screen.getByRole("button", { name: "Filters" }));
    const dialog = await screen.findByRole("dialog", { name: "Filters" });
    await user.click(within(dialog).getByRole("combobox", { name: "Quality" }));
    await user.click(await screen.findByRole("option", { name: /^Unknown/ }));
    await user.click(within(dialog).getByRole("combobox", { name: "Last sent" }));
    await user.click(await screen.findByRole("option", { name: "Never" }));
    await user.click(within(dialog).getByRole("switch", { name: /^Hide samples/ }));
    await waitFor(() =>
      expect(lastQuestion(host)).toMatchObject({ qualities: [""], notSentForDays: 0, samples: false }),
    );
  });

  it("are taken from text that is pasted, in place of those that were set", async () => {
    const { host, user } = renderApp("/templates?category=UTILITY");
    await user.click(await search());
    await user.paste('status:APPROVED,PENDING language:pt_BR sent:never "message number"');
    await waitFor(() =>
      expect(lastQuestion(host)).toMatchObject({
        search: "message number",
        statuses: ["APPROVED", "PENDING"],
        languages: ["pt_BR"],
        categories: [],
        notSentForDays: 0,
      }),
    );
    expect(await search()).toHaveProperty("value", "message number");
  });

  it("are typed on top of those that are set, and wait for Enter", async () => {
    const { host, user } = renderApp("/templates?category=UTILITY");
    await user.click(await search());
    await user.keyboard("message status:PENDING");
    expect(await screen.findByText("Press Enter to apply the filter")).toBeDefined();
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(lastQuestion(host)).toMatchObject({ search: "message", statuses: ["PENDING"], categories: ["UTILITY"] }),
    );
    expect(questions(host).every(({ search: words }) => !words?.includes(":"))).toBe(true);
  });

  it("are copied as text", async () => {
    const { user } = renderApp("/templates?status=REJECTED,PAUSED&q=black%20friday");
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await screen.findByRole("button", { name: "Copy filter" }));
    expect(write).toHaveBeenCalledWith('status:REJECTED,PAUSED "black friday"');
  });

  it("are remembered, and come back when the list is opened without any", async () => {
    const host = createFakeHost({ templates: 40 });
    await host.call("save_list_views", {
      workspace: "sandbox",
      views: { last: { templates: "status:PENDING", review: "waba:1" }, saved: [] },
    });
    const { user } = renderApp("/templates", host);
    await waitFor(() => expect(lastQuestion(host)?.statuses).toEqual(["PENDING"]));
    // No other request was made before.
    expect(questions(host).filter(({ limit }) => limit > 1)).toHaveLength(1);
    await user.click(await screen.findByRole("button", { name: "Clear all" }));
    await waitFor(async () => {
      const { last } = await host.call("get_list_views", { workspace: "sandbox" });
      expect(last).toEqual({ templates: "", review: "waba:1" });
    });
  });

  it("are saved under a name, applied, renamed and deleted", async () => {
    const { host, user } = renderApp("/templates?status=PENDING");
    await user.click(await screen.findByRole("button", { name: "Save view" }));
    const dialog = await screen.findByRole("dialog", { name: "Save these filters as a view" });
    await user.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(await within(dialog).findByText("Enter a name.")).toBeDefined();
    await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "Waiting");
    await user.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(await screen.findByText("The view “Waiting” was saved.")).toBeDefined();
    // The one that is set names the button.
    expect(await screen.findByRole("button", { name: "View: Waiting" })).toBeDefined();

    await user.click(screen.getByRole("button", { name: "Clear all" }));
    await waitFor(() => expect(lastQuestion(host)?.statuses).toEqual([]));
    await user.click(screen.getByRole("button", { name: "Views" }));
    expect(screen.queryByRole("menuitem", { name: "Save these filters…" })).toBeNull();
    await user.click(await screen.findByRole("menuitem", { name: "Waiting" }));
    await waitFor(() => expect(window.location.hash).toContain("status=PENDING"));

    await user.click(await screen.findByRole("button", { name: "View: Waiting" }));
    await user.click(await screen.findByRole("menuitem", { name: "Rename or delete…" }));
    const name = await screen.findByRole("textbox", { name: "Name of the view “Waiting”" });
    await user.clear(name);
    await user.type(name, "In review{Enter}");
    await user.click(await screen.findByRole("button", { name: "Delete the view “In review”" }));
    await waitFor(async () => {
      expect((await host.call("get_list_views", { workspace: "sandbox" })).saved).toEqual([]);
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(async () => {
      expect((await host.call("get_list_views", { workspace: "sandbox" })).saved).toMatchObject([
        { name: "In review", screen: "templates", filter: "status:PENDING" },
      ]);
    });
  });
});

describe("the menu of views", () => {
  it("saves what is set, so that it covers no way to do so", async () => {
    const { user } = renderApp("/templates?status=PENDING");
    await user.click(await screen.findByRole("button", { name: "Views" }));
    await user.click(await screen.findByRole("menuitem", { name: "Save these filters…" }));
    expect(await screen.findByRole("dialog", { name: "Save these filters as a view" })).toBeDefined();
  });
});

describe("the selection", () => {
  const box = (name: string) => screen.getByRole("checkbox", { name });
  const bar = () => screen.findByRole("region", { name: "Selection" });

  it("grows row by row, and by a range with Shift", async () => {
    const { user } = renderApp("/templates");
    await grid();
    await user.click(box("Select order_shipped en_US"));
    expect((await bar()).textContent).toContain("1 selected");
    fireEvent.click(box("Select delivery_update_ar ar"), { shiftKey: true });
    expect(await within(await bar()).findByText("4 selected")).toBeDefined();
    await user.click(box("Select new_arrivals es_MX"));
    expect(await within(await bar()).findByText("3 selected")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(screen.queryByRole("region", { name: "Selection" })).toBeNull();
    expect(document.activeElement).toBe(await grid());
  });

  it("takes in all that fit the filters with Ctrl and A, at hand or not, until the filters change", async () => {
    const host = createFakeHost({ templates: 1_000 });
    const { user } = renderApp("/templates?language=en_US", host);
    const list = await grid();
    list.focus();
    await user.keyboard("{Control>}a{/Control}");
    const total = Number(list.getAttribute("aria-rowcount"));
    expect(total).toBeGreaterThan(150);
    expect(await within(await bar()).findByText(`${total} selected`)).toBeDefined();
    await user.click(within(await bar()).getByRole("button", { name: "Archive" }));
    await screen.findByRole("dialog", { name: `Archive ${total} templates` });
    expect(host.calls.findLast(({ name }) => name === "plan_bulk_action")?.request).toMatchObject({
      action: "archive",
      target: { kind: "query", query: { languages: ["en_US"], archived: false } },
    });
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Remove Language: en_US" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Selection" })).toBeNull());
  });

  it("can leave one out of all", async () => {
    const host = createFakeHost({ templates: 1_200 });
    const { user } = renderApp("/templates?archived=all&carousel=no", host);
    await grid();
    await user.click(box("Select all"));
    await user.click(await screen.findByRole("checkbox", { name: "Select order_shipped en_US" }));
    expect(await within(await bar()).findByText("1,198 selected")).toBeDefined();
    await user.click(within(await bar()).getByRole("button", { name: "Export" }));
    await screen.findByRole("dialog", { name: "1,198 templates exported" });
    expect(screen.getByText(/sample of the header cannot be downloaded/)).toBeDefined();
    const request = host.calls.findLast(({ name }) => name === "export_templates")?.request as ExportTemplates;
    const references = request.target.kind === "references" ? request.target.references : [];
    expect(new Set(references).size).toBe(1_198);
  });

  it("is taken to the screen that says what copying it to another workspace would do", async () => {
    const { host, user } = renderApp("/templates");
    await grid();
    await user.click(box("Select order_shipped en_US"));
    await user.click(within(await bar()).getByRole("button", { name: "Copy to…" }));
    await user.click(await screen.findByRole("menuitem", { name: "Acme Retail" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/templates\/import\?.*from=sandbox.*to=acme/));
    await user.click(await screen.findByRole("combobox", { name: "WABAs to create in" }));
    await user.click(await screen.findByRole("option", { name: /102290129340398/ }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "plan_copy")?.request).toMatchObject({
        from: "sandbox",
        to: "acme",
        target: { kind: "references", references: ["5f3b8f0e-0000-4000-8000-000000000002"] },
      }),
    );
  });

  it("says why a bulk action could not be planned", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("plan_bulk_action", () => refusal({ code: "conflict", message: "Another bulk action is under way." }));
    const { user } = renderApp("/templates", host);
    await grid();
    await user.click(box("Select order_shipped en_US"));
    await user.click(within(await bar()).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Another bulk action is under way.")).toBeDefined();
    expect(await rows()).not.toHaveLength(0);
  });
});

describe("refreshing", () => {
  it("asks the provider for what is filtered only", async () => {
    const { host, user } = renderApp("/templates?status=REJECTED&category=UTILITY,MARKETING");
    await grid();
    await user.click(await screen.findByRole("button", { name: "Refresh options" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Only filtered templates/ }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "refresh_templates")?.request).toEqual({
        workspace: "sandbox",
        status: "REJECTED",
      }),
    );
    expect(await screen.findByText(/matching templates refreshed$/)).toBeDefined();
  });

  it("shows its progress, and can be cancelled", async () => {
    const host = createFakeHost({ templates: 40 });
    let finish: () => void = () => undefined;
    const counts = { unreadable: 0, missing: 0, skipped: 0, kept: 0 };
    const report = { total: 200, changes: 3, ...counts, at: 0, pages: 2, partial: false };
    host.answer(
      "refresh_templates",
      () => new Promise((done) => (finish = () => done({ ...report, cancelled: true }))),
    );
    const { user } = renderApp("/templates", host);
    await screen.findByText("Refreshing…");
    host.emit({ type: "syncProgress", workspace: "sandbox", pages: 2, templates: 200, total: 900 });
    await screen.findByText("200 of 900 templates loaded, page 2");
    host.emit({ type: "syncProgress", workspace: "sandbox", pages: 3, templates: 300 });
    await screen.findByText("300 templates loaded, page 3");
    await user.click(screen.getByRole("button", { name: "Cancel refresh" }));
    expect(host.calls.some(({ name }) => name === "cancel_refresh")).toBe(true);
    finish();
    host.emit({ type: "syncFinished", workspace: "sandbox" });
    expect(await screen.findByRole("button", { name: "Refresh from the provider" })).toBeDefined();
  });

  it("says that far fewer were listed, and asks again", async () => {
    const [host, known] = [createFakeHost({ templates: 40 }), createFakeHost({ templates: 40 })];
    host.answer("list_templates", async (query) => ({ ...(await known.call("list_templates", query)), kept: 35 }));
    const { user } = renderApp("/templates", host);
    const notice = await screen.findByRole("status", { name: "Your provider listed far fewer templates than before" });
    expect(notice.textContent).toMatch(/listed \d+ of \d+ templates\. We keep the others/);
    const asked = () => host.calls.filter(({ name }) => name === "refresh_templates").length;
    const before = asked();
    await user.click(within(notice).getByRole("button", { name: "Refresh from the provider" }));
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });

  it("marks a template that the last refresh did not list", async () => {
    const [host, known] = [createFakeHost({ templates: 3 }), createFakeHost({ templates: 3 })];
    host.answer("list_templates", async (query) => {
      const page = await known.call("list_templates", query);
      return { ...page, rows: page.rows.map((row, place) => (place === 1 ? { ...row, missingSince: 1 } : row)) };
    });
    renderApp("/templates", host);
    expect(await screen.findAllByText("Missing")).toHaveLength(1);
    expect(screen.getByRole("row", { name: /, Missing$/ })).toBeDefined();
  });

  it("says that the provider did not list everything", async () => {
    const host = createFakeHost({ templates: 40 });
    renderApp("/templates", host);
    await screen.findByRole("heading", { name: "Templates" });
    host.emit({ type: "listingIncomplete", workspace: "acme", listed: 1, missing: 7, skipped: 0 });
    host.emit({ type: "listingIncomplete", workspace: "sandbox", listed: 1200, missing: 34, skipped: 2 });
    expect(await screen.findByText("Your provider didn't list all templates")).toBeDefined();
    expect(await screen.findByText(/reports 1,234 templates but listed 1,200/)).toBeDefined();
    expect(screen.getByText(/couldn't read 2 templates/)).toBeDefined();
  });
});
