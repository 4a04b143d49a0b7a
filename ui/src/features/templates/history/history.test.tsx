import { createFakeHost, nameWabas, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const REJECTED = "5f3b8f0e-0000-4000-8000-000000000003";
const ADDRESS = `/templates/${REJECTED}?tab=history`;
const entries = async () => within(await screen.findByRole("list", { name: "History" })).getAllByRole("listitem");
const entry = async (text: RegExp) => {
  const found = (await entries()).find(({ textContent }) => text.test(textContent ?? ""));
  if (!found) throw new Error(`${text}`);
  return found;
};

describe("the history", () => {
  it("shows old and new value, source and reason", async () => {
    renderApp(ADDRESS);
    const status = await entry(/^Status/);
    expect(status.textContent).toContain("Pending→Rejected");
    expect(status.textContent).toContain("Webhook");
    expect(status.textContent).toContain("delivered 3 times");
    expect(status.textContent).toContain("INVALID_FORMAT");
    expect(status.textContent).toContain("Add words around them");
    expect((await entry(/^Category/)).textContent).toContain("Utility→Marketing");
    expect((await entry(/^Quality/)).textContent).toMatch(/Not rated.*→High/);
    // A kind of a newer host is shown by its own word.
    expect((await entry(/^template_pricing/)).textContent).toContain("TIER_2");
  });

  it("names the accounts of an entry", async () => {
    const host = createFakeHost();
    await nameWabas(host, { "102290129340398": "Retail" });
    renderApp(ADDRESS, host);
    await waitFor(async () => expect((await entry(/^Status/)).textContent).toContain(" · Retail"));
    expect((await entry(/^Quality/)).textContent).not.toContain("Retail");
  });

  it("distinguishes submissions, rejections and announcements", async () => {
    renderApp(ADDRESS);
    expect((await entry(/^Edit submitted/)).textContent).not.toContain("refused");
    const refused = await entry(/^Submitted for review/);
    expect(refused.textContent).toContain("It was rejected. Nothing changed.The name is taken.");
    expect(await entry(/^Category change announcedUtility→Marketing/)).toBeDefined();
    // An approval gives no reason, whatever word it brings.
    expect((await entry(/^StatusApproved/)).textContent).not.toContain("NONE");
    expect((await entry(/^Archived/)).textContent).not.toContain("ARCHIVED");
  });

  it("guesses no time: between two, at the latest, and gaps", async () => {
    renderApp(ADDRESS);
    expect((await entry(/^Category/)).textContent).toMatch(/Found in a refresh · between Nov 17, .* and Nov 18, /);
    expect((await entry(/^Content: Subcategory/)).textContent).toMatch(/· at the latest Nov 16, /);
    const gap = await entry(/^No data for this period/);
    expect(gap.textContent).toContain("The receiver was not running");
    expect(gap.textContent).toMatch(/between Nov 17, .* and Nov 18, /);
    expect((await entry(/^Archived/)).textContent).toContain("We don't know whether it was done");
  });

  it("shows the raw event on demand, and leads to it and to the version", async () => {
    const { user } = renderApp(ADDRESS);
    const status = within(await entry(/^Status/));
    await user.click(status.getByRole("button", { name: "Show raw event" }));
    // Long numbers stay as they came.
    expect(status.getByRole("group", { name: "Raw event" }).textContent).toContain("1187231209381209123");
    await user.click(status.getByRole("button", { name: "Hide raw event" }));
    expect(status.queryByRole("group", { name: "Raw event" })).toBeNull();
    expect(status.getByRole("link", { name: "Open in Activity" }).getAttribute("href")).toContain(
      "/activity?event=event-4",
    );
    await user.click(within(await entry(/^Content/)).getByRole("link", { name: "Compare this version" }));
    expect(await screen.findByRole("region", { name: "Differences" })).toBeDefined();
  });

  it("says how long each attempt took", async () => {
    renderApp(ADDRESS);
    const decisions = within(await screen.findByRole("region", { name: "Time to decision" }));
    const [second, first] = decisions.getAllByRole("listitem");
    expect(second?.textContent).toMatch(/^Attempt 2Pendingwaiting for a decision/);
    expect(first?.textContent).toMatch(/^Attempt 1Rejecteddecided after 2 hours/);
  });

  it("is narrowed by kind, and goes on page by page", async () => {
    const { host, user } = renderApp(ADDRESS);
    expect(await entries()).toHaveLength(50);
    await user.click(screen.getByRole("button", { name: "Show 21 older" }));
    await waitFor(async () => expect(await entries()).toHaveLength(71));
    expect(screen.getByText(/We have no data from before this time/)).toBeDefined();
    await user.click(screen.getByRole("checkbox", { name: "Archiving" }));
    await waitFor(async () => expect(await entries()).toHaveLength(1));
    expect(host.calls.findLast(({ name }) => name === "get_history")?.request).toEqual({
      workspace: "sandbox",
      reference: REJECTED,
      kinds: ["archived", "unarchived"],
      offset: 0,
      limit: 50,
    });
    await user.click(screen.getByRole("checkbox", { name: "Archiving" }));
    await user.click(screen.getByRole("checkbox", { name: "Added and deleted" }));
    expect(await screen.findByText("No entries of this type.")).toBeDefined();
  });

  it("may be empty, and says why it cannot be shown", async () => {
    const host = createFakeHost({ templates: 40 });
    const known = await host.call("get_history", {
      workspace: "sandbox",
      reference: REJECTED,
      kinds: [],
      offset: 0,
      limit: 1,
    });
    host.answer("get_history", () => ({ ...known, entries: [], total: 0 }));
    const { unmount } = renderApp(ADDRESS, host);
    expect(await screen.findByText("No history yet")).toBeDefined();
    unmount();
    host.answer("get_history", () => refusal({ code: "storage", reason: "disk I/O error" }));
    renderApp(ADDRESS, host);
    expect(await screen.findByText("disk I/O error")).toBeDefined();
  });
});

describe("two versions", () => {
  it("are compared as text and on the phone, and kept in the address", async () => {
    const { host, user } = renderApp(`/templates/${REJECTED}?tab=versions`);
    await user.click(await screen.findByRole("combobox", { name: "Compare" }));
    await user.click(await screen.findByRole("option", { name: /^Submitted/ }));
    const differences = await screen.findByRole("region", { name: "Differences" });
    expect(await within(differences).findByRole("group", { name: /^Submitted/ })).toBeDefined();
    expect(within(differences).getByRole("group", { name: "Current" })).toBeDefined();
    await user.click(screen.getByRole("combobox", { name: "With" }));
    await user.click(await screen.findByRole("option", { name: /^Edited/ }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "compare_versions")?.request).toEqual({
        workspace: "sandbox",
        reference: REJECTED,
        left: `${REJECTED}-1`,
        right: `${REJECTED}-2`,
      }),
    );
    expect(window.location.hash).toContain(`compare=${REJECTED}-1&with=${REJECTED}-2`);
  });
});

describe("templates that are gone", () => {
  it("are listed, and each opens its history", async () => {
    const { user } = renderApp("/templates/removed");
    const grid = await screen.findByRole("grid", { name: "Removed templates" });
    const rows = within(grid).getAllByRole("row");
    expect(rows.map((row) => row.getAttribute("aria-label"))).toEqual(["black_friday_2025 en_US", "welcome_old pt_BR"]);
    expect(rows[1]?.textContent).toContain("at the latest");
    await user.click(rows[0] as HTMLElement);
    expect(await screen.findByRole("heading", { level: 1, name: "black_friday_2025" })).toBeDefined();
    expect((await entries())[0]?.textContent).toContain("Done in this app");
  });

  it("say that they were archived here, where that is all that is known", async () => {
    const host = createFakeHost({ templates: 1 });
    const archived = { at: Date.UTC(2026, 10, 1), exact: false, archived: true, canUnarchive: true };
    host.answer("list_removed", () => [{ reference: "away", name: "summer", language: "en_US", ...archived }]);
    renderApp("/templates/removed", host);
    const row = await screen.findByRole("row", { name: "summer en_US" });
    expect(row.textContent).toMatch(/Archived here Nov 1/);
  });

  it("may be none", async () => {
    const host = createFakeHost({ templates: 1 });
    host.answer("list_removed", () => []);
    renderApp("/templates/removed", host);
    expect(await screen.findByText("No removed templates")).toBeDefined();
  });

  it("can be looked for again, and unarchived where they may only be archived", async () => {
    const { host, user } = renderApp("/templates/removed");
    await user.click(await screen.findByRole("button", { name: "Check again for black_friday_2025" }));
    expect(await screen.findByText(/Your provider doesn't list “black_friday_2025”/)).toBeDefined();
    const asked = (name: string) => host.calls.filter((call) => call.name === name).map(({ request }) => request);
    expect(asked("look_for_template")).toEqual([{ workspace: "sandbox", reference: "gone-1" }]);
    expect(screen.queryByRole("button", { name: "Unarchive black_friday_2025" })).toBeNull();

    host.answer("unarchive_template", () => ({}));
    await user.click(screen.getByRole("button", { name: "Unarchive welcome_old" }));
    expect(await screen.findByText(/“welcome_old” is back in the list/)).toBeDefined();
    expect(asked("unarchive_template")).toEqual([{ workspace: "sandbox", reference: "gone-2" }]);
  });

  it("are found from their old address", async () => {
    const { user } = renderApp("/templates/gone-2");
    await user.click(await screen.findByRole("link", { name: "Show history" }));
    expect(await screen.findByRole("heading", { level: 1, name: "welcome_old" })).toBeDefined();
  });
});
