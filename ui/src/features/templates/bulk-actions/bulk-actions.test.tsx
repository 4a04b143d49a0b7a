import { FAILS_ONCE } from "@test/fake-bulk-actions";
import { createFakeHost, type FakeHost, nameWabas } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { BulkAction } from "@/bindings/app";

const requests = (host: FakeHost, command: string) =>
  host.calls.filter(({ name }) => name === command).map(({ request }) => request);

/** Chooses two templates, one of which fails the first time, and asks for `action`. */
async function ask(user: UserEvent, action: string) {
  await user.click(await screen.findByRole("checkbox", { name: "Select summer_sale_2026 en_US" }));
  await user.click(screen.getByRole("checkbox", { name: `Select ${FAILS_ONCE} en_US` }));
  const bar = await screen.findByRole("region", { name: "Selection" });
  await user.click(within(bar).getByRole("button", { name: action }));
}

describe("archiving many", () => {
  it("explains itself, lists failures with reasons, retries them, and is undone", async () => {
    const { host, user } = renderApp("/templates");
    await ask(user, "Archive");
    const dialog = await screen.findByRole("dialog", { name: "Archive 2 templates" });
    const listed = await within(dialog).findByRole("list", { name: "Templates" });
    await waitFor(() =>
      expect(
        within(listed)
          .getAllByRole("listitem")
          .map(({ textContent }) => textContent),
      ).toEqual(["summer_sale_2026 · English (United States)", `${FAILS_ONCE} · English (United States)`]),
    );
    expect(dialog.textContent).toContain("28 days; your provider doesn't confirm this");
    expect(requests(host, "start_bulk_action")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Archive" }));

    const progress = await screen.findByRole("region", { name: "Progress" });
    expect(await within(progress).findByText("1 done · 1 failed")).toBeDefined();
    const [reason] = await within(progress).findAllByText(/Your provider rejected the request/);
    expect(reason?.textContent).toContain(FAILS_ONCE);
    expect(within(progress).getByText("Service temporarily unavailable")).toBeDefined();
    await user.click(within(progress).getByRole("button", { name: "Retry failed" }));
    expect(await screen.findByText("2 done")).toBeDefined();
    expect(requests(host, "retry_bulk_action")).toEqual([
      { workspace: "sandbox", id: "bulk-action-1", retryUnknown: false, retryCancelled: false },
    ]);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByRole("dialog", { name: "Unarchive 2 templates" });
    expect(requests(host, "undo_bulk_action")).toHaveLength(1);
  });

  it("lists what is skipped, and discards a plan that is not started", async () => {
    const { host, user } = renderApp("/templates?archived=all");
    await user.click(await screen.findByRole("checkbox", { name: "Select appointment_reminder en_US" }));
    await user.click(screen.getByRole("button", { name: "Archive" }));
    const dialog = await screen.findByRole("dialog", { name: "Nothing to archive" });
    await user.click(within(dialog).getByText("1 is skipped"));
    expect(await within(dialog).findByText(/already archived/)).toBeDefined();
    expect(within(dialog).queryByRole("button", { name: "Archive" })).toBeNull();
    await user.click(within(dialog).getAllByRole("button", { name: "Close" })[1] as HTMLElement);
    await waitFor(() =>
      expect(requests(host, "discard_bulk_action")).toEqual([{ workspace: "sandbox", id: "bulk-action-1" }]),
    );
  });
});

describe("deleting many", () => {
  it("runs after the confirmation was typed, and reports what was deleted", async () => {
    const { host, user } = renderApp("/templates");
    await ask(user, "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete 2 templates" });
    expect(dialog.textContent).toContain("can't use the name of an approved template again for 30 days");
    expect(dialog.textContent).toContain("sent 12 messages with them");
    expect(dialog.textContent).toContain("archive them instead. WhatsApp may delete");
    const confirm = within(dialog).getByRole("button", { name: "Delete" });
    await user.type(within(dialog).getByRole("textbox", { name: "Type “delete 2” to confirm" }), "delete 3");
    expect(confirm).toHaveProperty("disabled", true);
    await user.keyboard("{Enter}");
    expect(requests(host, "start_bulk_action")).toEqual([]);
    await user.keyboard("{Backspace}2");
    await user.click(confirm);
    await screen.findByText("1 done · 1 failed");
    expect(requests(host, "start_bulk_action")).toEqual([
      { workspace: "sandbox", id: "bulk-action-1", confirmation: "delete 2" },
    ]);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });
});

describe("templates in several accounts", () => {
  const named = async () => {
    const host = createFakeHost({ templates: 40 });
    await nameWabas(host, { "102290129340398": "Norte Varejo", "102290129340411": "Norte Clínica" });
    return host;
  };

  it("are counted with the names of the accounts", async () => {
    const { user } = renderApp("/templates", await named());
    await ask(user, "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete 2 templates" });
    const said = "In several accounts: 1 template (Norte Varejo and Norte Clínica)";
    expect(await within(dialog).findByText(said)).toBeDefined();
  });

  it("are counted by the other accounts where the list is filtered by one", async () => {
    const { user } = renderApp("/templates?waba=102290129340398", await named());
    await ask(user, "Archive");
    const dialog = await screen.findByRole("dialog", { name: "Archive 2 templates" });
    expect(await within(dialog).findByText("Also in Norte Clínica: 1 template")).toBeDefined();
    expect(dialog.textContent).not.toContain("Norte Varejo");
  });

  it("are not mentioned where none of the templates is", async () => {
    const { host, user } = renderApp("/templates", await named());
    await user.click(await screen.findByRole("checkbox", { name: `Select ${FAILS_ONCE} en_US` }));
    await user.click(screen.getByRole("button", { name: "Archive" }));
    const dialog = await screen.findByRole("dialog", { name: "Archive 1 template" });
    await waitFor(() =>
      expect(requests(host, "list_templates")).toContainEqual(expect.objectContaining({ limit: 500 })),
    );
    expect(await within(dialog).findByText(FAILS_ONCE)).toBeDefined();
    expect(dialog.textContent).not.toMatch(/several accounts|Also in/);
  });
});

it("does not advise to archive what is archived already", async () => {
  const { user } = renderApp("/templates?archived=only");
  await user.click(await screen.findByRole("checkbox", { name: "Select appointment_reminder en_US" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete 1 template" });
  expect(dialog.textContent).toContain("It is deleted at your provider");
  expect(dialog.textContent).not.toContain("instead");
});

describe("a bulk action that takes its time", () => {
  const running: BulkAction = {
    id: "bulk-action-9",
    workspace: "sandbox",
    action: "archive",
    state: "running",
    total: 300,
    counts: [
      { value: "done", count: 120 },
      { value: "leaving", count: 1 },
      { value: "planned", count: 179 },
    ],
    names: ["summer_sale_2026"],
    nameCount: 300,
    approved: 300,
    approvedBefore: 0,
    mayBeApproved: 0,
    archived: 0,
    recentSends: 0,
    confirmation: null,
    error: null,
    undoOf: null,
    undoable: false,
    retryable: 0,
    createdAt: 1,
    startedAt: 1,
    endedAt: null,
  };

  it("says how many names of archived templates are blocked or may be", async () => {
    const host = createFakeHost({ templates: 40 });
    const plan = {
      ...running,
      action: "delete",
      state: "planned",
      total: 9,
      confirmation: "delete 9",
      counts: [{ value: "planned", count: 9 }],
      approved: 1,
      approvedBefore: 7,
      mayBeApproved: 1,
      archived: 9,
    } satisfies BulkAction;
    host.answer("get_bulk_action", () => ({ bulkAction: plan, items: [], next: null }));
    renderApp("/templates?bulkAction=bulk-action-9", host);
    const dialog = await screen.findByRole("dialog", { name: /^Delete/ });
    await waitFor(() =>
      expect(dialog.textContent).toContain(
        "1 of them is approved. 7 were approved before they were archived. 1 archived template may have been approved: we don't know its status before. You can't use",
      ),
    );
  });

  it("goes on when it is closed, is found again, and says how it ended with a way to undo it", async () => {
    const host = createFakeHost({ templates: 40 });
    let bulkAction = running;
    host.answer("get_bulk_action", () => ({ bulkAction, items: [], next: null }));
    host.answer("list_bulk_actions", () => [bulkAction]);
    const { user } = renderApp("/templates?bulkAction=bulk-action-9", host);
    expect(await screen.findByText("120 done · 1 in progress · 179 remaining")).toBeDefined();
    expect(screen.getByRole("progressbar", { name: "Progress" }).getAttribute("aria-valuenow")).toBe("120");
    await user.click(within(screen.getByRole("region", { name: "Progress" })).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(requests(host, "cancel_bulk_action")).toEqual([]);
    expect(requests(host, "discard_bulk_action")).toEqual([]);

    bulkAction = {
      ...running,
      state: "done",
      counts: [
        { value: "done", count: 299 },
        { value: "failed", count: 1 },
      ],
      undoable: true,
      retryable: 1,
    };
    host.emit({
      type: "bulkActionProgress",
      workspace: "sandbox",
      id: "bulk-action-9",
      done: 300,
      total: 300,
      state: "done",
    });
    const toast = await screen.findByText("299 templates were archived");
    expect(toast).toBeDefined();
    expect(screen.getByText("1 failed")).toBeDefined();
    expect(screen.getByRole("button", { name: "Undo" })).toBeDefined();

    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Log of archived and deleted templates" }));
    const log = await screen.findByRole("dialog", { name: "Log of archived and deleted templates" });
    await user.click(await within(log).findByRole("button", { name: /^Archive 300 templates/ }));
    expect(await screen.findByText("299 done · 1 failed")).toBeDefined();
  });

  it("is cancelled", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_bulk_action", () => ({ bulkAction: running, items: [], next: null }));
    host.answer("cancel_bulk_action", () => ({ ...running, state: "cancelling" }));
    const { user } = renderApp("/templates?bulkAction=bulk-action-9", host);
    const progress = await screen.findByRole("region", { name: "Progress" });
    await user.click(within(progress).getByRole("button", { name: "Cancel" }));
    await waitFor(() =>
      expect(requests(host, "cancel_bulk_action")).toEqual([{ workspace: "sandbox", id: "bulk-action-9" }]),
    );
  });

  it("counts unknown and cancelled templates as such, and continues the cancelled ones", async () => {
    const host = createFakeHost({ templates: 40 });
    const counts: BulkAction["counts"] = [
      { value: "done", count: 288 },
      { value: "failed", count: 1 },
      { value: "unknown", count: 5 },
      { value: "cancelled", count: 6 },
    ];
    const bulkAction: BulkAction = { ...running, state: "cancelled", counts, retryable: 1 };
    host.answer("list_bulk_actions", () => [bulkAction]);
    host.answer("get_bulk_action", () => ({ bulkAction, items: [], next: null }));
    host.answer("retry_bulk_action", () => bulkAction);
    const { user } = renderApp("/templates?log=open", host);
    const log = await screen.findByRole("dialog", { name: "Log of archived and deleted templates" });
    await user.click(await within(log).findByRole("button", { name: /1 failed · 5 unknown · 6 cancelled/ }));
    const progress = await screen.findByRole("region", { name: "Progress" });
    expect(within(progress).getByRole("button", { name: "Retry failed" })).toBeDefined();
    await user.click(within(progress).getByRole("button", { name: "Continue with the rest" }));
    await waitFor(() =>
      expect(requests(host, "retry_bulk_action")).toEqual([
        { workspace: "sandbox", id: "bulk-action-9", retryUnknown: false, retryCancelled: true },
      ]),
    );
  });

  it("that a crash interrupted is said above the list, with the way to the rest", async () => {
    const host = createFakeHost({ templates: 40 });
    const counts: BulkAction["counts"] = [
      { value: "done", count: 24 },
      { value: "planned", count: 36 },
    ];
    const bulkAction: BulkAction = { ...running, state: "interrupted", total: 60, counts, retryable: 36 };
    host.answer("list_bulk_actions", () => [bulkAction]);
    host.answer("get_bulk_action", () => ({ bulkAction, items: [], next: null }));
    const { user } = renderApp("/templates", host);
    const notice = await screen.findByRole("status", { name: "Archiving stopped at 24 of 60 templates" });
    expect(notice.textContent).toContain("36 templates are unchanged");
    await user.click(within(notice).getByRole("button", { name: "Show the rest" }));
    expect(await screen.findByRole("region", { name: "Progress" })).toBeDefined();
    await user.click(within(notice).getByRole("button", { name: "Close" }));
    expect(screen.queryByText(/^Archiving stopped/)).toBeNull();
    await user.click(screen.getByRole("link", { name: "Sends" }));
    await screen.findByRole("heading", { level: 1, name: "Sends" });
    await user.click(screen.getByRole("link", { name: "Templates" }));
    await screen.findByRole("grid", { name: "Templates" });
    expect(screen.queryByText(/^Archiving stopped/)).toBeNull();
  });

  it("retries unknown outcomes only on request", async () => {
    const host = createFakeHost({ templates: 40 });
    const bulkAction: BulkAction = {
      ...running,
      state: "done",
      counts: [
        { value: "done", count: 298 },
        { value: "unknown", count: 2 },
      ],
    };
    host.answer("get_bulk_action", () => ({ bulkAction, items: [], next: null }));
    host.answer("retry_bulk_action", () => bulkAction);
    const { user } = renderApp("/templates?bulkAction=bulk-action-9", host);
    expect(await screen.findByText("298 done · 2 unknown")).toBeDefined();
    expect(screen.getByText("Done, some unknown")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Retry failed" })).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: /with an unknown outcome/ }));
    await user.click(screen.getByRole("button", { name: "Retry failed" }));
    await waitFor(() =>
      expect(requests(host, "retry_bulk_action")).toEqual([
        { workspace: "sandbox", id: "bulk-action-9", retryUnknown: true, retryCancelled: false },
      ]),
    );
  });
});
