import { NO_GROUPS } from "@test/fake-batch-people";
import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchGroups } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";
import { beginLike, forgetDraft } from "./draft";

const OLD = "/sends/batches/batch-old";
const TO_THEM = "New batch to them…";
const reached = { group: "reached", people: 8, again: 0, triedOften: 0, inLaterBatch: 0 } as const;
const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const button = (name: string) => screen.findByRole("button", { name });
const parts = async () => within(await screen.findByRole("list", { name: "What they did with the message" }));
const part = async (name: RegExp) => {
  const row = (await parts()).getByText(name).closest("li");
  if (!row) throw new Error(`no part ${name}`);
  return within(row);
};

function hostWith(groups: Partial<BatchGroups>): FakeHost {
  const host = createFakeHost({ templates: 40 });
  host.answer("get_batch_groups", () => ({ ...NO_GROUPS, ...groups }));
  return host;
}

async function toUnread(host?: FakeHost) {
  const app = renderApp(OLD, host);
  await app.user.click((await part(/^Not read/)).getByRole("button", { name: TO_THEM }));
  return app;
}

beforeEach(() => forgetDraft("sandbox"));

describe("the people who were reached", () => {
  it("are shown by what they did below those reached, with one sentence about what that proves", async () => {
    renderApp(OLD, hostWith({ groups: [reached], unread: 3, read: 2, replied: 4, repliedUnreported: 1 }));
    const shown = await parts();
    expect(shown.getAllByRole("listitem").map((row) => row.querySelector("strong")?.textContent)).toEqual([
      "Not read 3",
      "Read, no reply 2",
      "Wrote afterwards 4",
    ]);
    expect(shown.getAllByRole("button", { name: TO_THEM })).toHaveLength(3);
    expect(shown.getByText(/1 is not counted as reached/)).toBeTruthy();
    const group = screen.getByText("Reached 8").closest("li");
    expect(group?.contains(shown.getByText("Not read 3"))).toBe(true);
    expect(screen.getAllByText(/receipts off never show as read\. Everyone who wrote afterwards counts/)).toHaveLength(
      1,
    );
  });

  it("are left out where nobody did that, and are not shown at all where nobody did anything", async () => {
    const host = hostWith({ groups: [reached], unread: 8 });
    const { unmount } = renderApp(OLD, host);
    expect((await parts()).getAllByRole("listitem")).toHaveLength(1);
    unmount();
    renderApp(OLD, hostWith({ groups: [{ ...reached, group: "underway" }] }));
    expect(await screen.findByText("On the way 8")).toBeTruthy();
    expect(screen.queryByRole("list", { name: "What they did with the message" })).toBeNull();
    expect(screen.queryByText(/receipts off/)).toBeNull();
  });

  it("who wrote are shown before any delivery was reported", async () => {
    renderApp(OLD, hostWith({ groups: [{ ...reached, group: "underway" }], replied: 2, repliedUnreported: 2 }));
    expect(await (await part(/^Wrote afterwards 2/)).findByRole("button", { name: "Show replies" })).toBeTruthy();
  });

  it("who are gone when the button is pressed are counted again", async () => {
    const host = hostWith({ groups: [reached], unread: 1, read: 7 });
    host.answer("retarget_batch", () => {
      host.answer("get_batch_groups", () => ({ ...NO_GROUPS, groups: [reached], read: 8 }));
      throw { code: "conflict", message: "Nobody", fault: { kind: "nobodyLeft" } };
    });
    await toUnread(host);
    expect(await screen.findByText(/^Nobody is left in this group/)).toBeTruthy();
    expect(await screen.findByText("Read, no reply 8")).toBeTruthy();
    expect(screen.queryByText(/^Not read/)).toBeNull();
  });
});

describe("a new batch to them", () => {
  it("offers the template of the first batch, and has its rows, columns and values", async () => {
    const { host, user } = await toUnread();
    await waitFor(() => expect(window.location.hash).toBe("#/sends/batches/new"));
    expect(asked(host, "retarget_batch")[0]?.request).toEqual({ batch: "batch-old", engagement: "unread" });
    const note = within(await screen.findByRole("region", { name: "People of an earlier batch" }));
    expect(note.getByText(/^To 17 people who got order_shipped and had not read it\./)).toBeTruthy();
    expect(note.getByRole("link", { name: "Open that batch" }).getAttribute("href")).toContain("batch-old");
    expect(screen.getByText("Choose an approved template for 17 recipients")).toBeTruthy();

    await user.click(note.getByRole("link", { name: "Use order_shipped again" }));
    expect(await screen.findByRole("combobox", { name: "Column with the number" })).toHaveProperty("value", "Phone");
    expect(screen.getByRole("combobox", { name: "Column with the name" })).toHaveProperty("value", "First name");
    expect(screen.getByText(/had not read it\./)).toBeTruthy();
    expect(screen.queryByRole("radiogroup", { name: /^First row/ })).toBeNull();
    const variable = await screen.findByRole("combobox", { name: /^Variable \{\{1\}\}/ });
    expect(variable).toHaveProperty("value", "First name");
  });

  it("guesses the columns of another template", async () => {
    const { host, user } = await toUnread();
    await user.type(await screen.findByRole("textbox", { name: "Search approved templates" }), "summer_sale_2026");
    await user.click(await screen.findByRole("row", { name: /^summer_sale_2026, English/ }));
    const variable = await screen.findByRole("combobox", { name: /^Variable \{\{1\}\}/ });
    await waitFor(() => expect(variable).toHaveProperty("value", "1"));
    const source = { kind: "csv", file: expect.stringMatching(/^csv-list-/), to: "Phone", name: "First name" };
    await waitFor(() => expect(asked(host, "preview_batch").at(-1)?.request).toMatchObject({ batch: { source } }));
  });

  it("says that its list is gone after a start of the app, and makes it again", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user } = await toUnread(host);
    host.answer("preview_batch", () => {
      throw { code: "notFound", what: "The file", missing: "chosenFile" };
    });
    await user.click(await screen.findByRole("link", { name: "Use order_shipped again" }));
    expect(await screen.findByText(/^The list of these people is no longer kept\./)).toBeTruthy();
    const before = asked(host, "preview_batch").length;
    await user.click(await button("Make the list again"));
    await waitFor(() => expect(asked(host, "retarget_batch")).toHaveLength(2));
    await waitFor(() => expect(asked(host, "preview_batch").length).toBeGreaterThan(before));
    expect(asked(host, "preview_batch").at(-1)?.request).toMatchObject({
      batch: { source: { kind: "csv", to: "Phone", name: "First name" } },
    });
    expect(screen.getByText(/had not read it\./)).toBeTruthy();
  });

  it("is no list of them any more once another file is chosen", async () => {
    const { user } = await toUnread();
    await user.click(await screen.findByRole("link", { name: "Use order_shipped again" }));
    await user.click(await button("Choose another file…"));
    expect(await screen.findByText("customers.csv")).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/had not read it\./)).toBeNull());
    expect(screen.getByRole("radiogroup", { name: /^First row/ })).toBeTruthy();
  });

  it("says when the file was not kept", async () => {
    const host = createFakeHost({ templates: 40 });
    const kept = await host.call("retarget_batch", { batch: "batch-old", engagement: "unread" });
    host.answer("retarget_batch", () => ({ ...kept, list: { ...kept.list, hasCells: false } as typeof kept.list }));
    await toUnread(host);
    expect(await screen.findByText(/so the list has only numbers and names\./)).toBeTruthy();
  });

  it("has those who are still in the address book as chosen recipients", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("retarget_batch", () => ({
      list: { kind: "recipients", ids: ["recipient-2", "recipient-4"], missing: 1 },
      mapping: { values: {} },
    }));
    const { user } = await toUnread(host);
    expect(await screen.findByText(/^To 2 people .* 1 more person is no longer in the address book\./)).toBeTruthy();
    await user.type(await screen.findByRole("textbox", { name: "Search approved templates" }), "summer_sale_2026");
    await user.click(await screen.findByRole("row", { name: /^summer_sale_2026, English/ }));
    expect(await screen.findByText("2 selected")).toBeTruthy();
  });

  it("replaces a batch that was begun only after a question, before anything is decided", async () => {
    const host = createFakeHost({ templates: 40 });
    const { batch } = await host.call("get_batch", { batch: "batch-old", limit: 1 });
    beginLike(batch, { file: { hasHeader: true, to: "Phone" }, values: {} });
    const { user } = await toUnread(host);
    const question = within(await screen.findByRole("dialog", { name: "Replace the batch you began?" }));
    expect(asked(host, "retarget_batch")).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Replace it" }));
    expect(await screen.findByRole("region", { name: "People of an earlier batch" })).toBeTruthy();
  });

  it("can be given up before a template is chosen", async () => {
    const { user } = await toUnread();
    await user.click(await button("Start over"));
    await waitFor(() => expect(screen.queryByRole("region", { name: "People of an earlier batch" })).toBeNull());
    expect(screen.queryByText(/^Choose an approved template for/)).toBeNull();
  });
});
