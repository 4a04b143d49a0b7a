import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { StorageState } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";

const STORAGE = "/settings?section=storage";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const region = (name: string) => screen.findByRole("region", { name });

async function hostWith(change: Partial<StorageState>) {
  const host = createFakeHost({ templates: 40 });
  const state = await host.call("get_storage", {});
  host.answer("get_storage", () => ({ ...state, ...change }));
  return host;
}

describe("retention", () => {
  it("can be set only after its preview was seen, and removes nothing by itself", async () => {
    const { host, user } = renderApp(STORAGE);
    const card = within(await region("Webhook retention"));
    const set = card.getByRole<HTMLButtonElement>("button", { name: "Save" });
    await user.type(card.getByRole("textbox", { name: "Message statuses" }), "90");
    expect(set.disabled).toBe(true);
    await user.click(card.getByRole("button", { name: "Preview" }));
    const preview = within(await region("Preview of the removal"));
    expect(preview.getByText(/[\d,]+ deliveries would be removed now/)).toBeTruthy();
    expect(preview.getByText(/Template histories/)).toBeTruthy();
    await user.click(set);
    await waitFor(() =>
      expect(asked(host, "set_retention").at(-1)?.request).toEqual({ rules: [{ kind: "status", days: 90 }] }),
    );
    expect(asked(host, "apply_retention")).toHaveLength(0);
  });

  it.each(["1.5", "-1", "0", "36501"])("takes %s for an error and asks for no preview", async (typed) => {
    const { host, user } = renderApp(STORAGE);
    const card = within(await region("Webhook retention"));
    const field = card.getByRole<HTMLInputElement>("textbox", { name: "Message statuses" });
    await user.type(field, typed);
    await user.click(card.getByRole("button", { name: "Preview" }));
    expect(field.value).toBe(typed);
    expect(card.getByText("Enter a whole number from 1 to 36,500.")).toBeTruthy();
    expect(card.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
    expect(asked(host, "preview_retention")).toHaveLength(0);
  });

  it("has its preview seen again when it was changed after", async () => {
    const { user } = renderApp(STORAGE);
    const card = within(await region("Webhook retention"));
    await user.type(card.getByRole("textbox", { name: "Message statuses" }), "90");
    await user.click(card.getByRole("button", { name: "Preview" }));
    await region("Preview of the removal");
    await user.type(card.getByRole("textbox", { name: "Templates" }), "30");
    expect(screen.queryByRole("region", { name: "Preview of the removal" })).toBeNull();
    expect(card.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  });

  it("is applied at once only after saying what goes for ever", async () => {
    const host = await hostWith({ retention: { rules: [{ kind: "status", days: 90 }] } });
    const { user } = renderApp(STORAGE, host);
    await user.click(await screen.findByRole("button", { name: "Apply now…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Remove webhooks now?" }));
    expect(dialog.getByText(/can't undo this/)).toBeTruthy();
    expect(asked(host, "apply_retention")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: /^Remove [\d,]+ deliveries$/ }));
    await waitFor(() => expect(asked(host, "apply_retention")).toHaveLength(1));
  });

  it("says why it could not be set", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("preview_retention", () => refusal({ code: "storage", reason: "the file is locked" }));
    const { user } = renderApp(STORAGE, host);
    await user.click(await screen.findByRole("button", { name: "Preview" }));
    expect(await screen.findByText("the file is locked")).toBeTruthy();
  });
});

describe("backup and restore", () => {
  it("reports the path of the backup and that it was verified", async () => {
    const { user } = renderApp(STORAGE);
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    expect(await screen.findByText("Backup created and checked.")).toBeTruthy();
  });

  it("reads a backup whole without restoring it, and says why one is refused", async () => {
    const { host, user } = renderApp(STORAGE);
    await user.click(await screen.findByRole("button", { name: "Check a backup…" }));
    expect((await screen.findByText("The backup is complete.")).parentElement?.textContent).toContain(
      "6,100,000 deliveries",
    );
    expect(asked(host, "restore_backup")).toHaveLength(0);
    host.answer("check_backup", () => refusal({ code: "file", name: "inbox.sqlite", reason: "a page is damaged" }));
    await user.click(screen.getByRole("button", { name: "Check a backup…" }));
    expect(await screen.findByText("inbox.sqlite: a page is damaged")).toBeTruthy();
  });

  it("says nothing when the dialog was cancelled", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("back_up", () => null);
    const { user } = renderApp(STORAGE, host);
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    await waitFor(() => expect(asked(host, "back_up")).toHaveLength(1));
    expect(screen.queryByText(/Backup created/)).toBeNull();
    expect(within(await region("Backup")).queryByRole("alert")).toBeNull();
  });

  it("explains a restore before it asks for the folder, names what is newer, and can be cancelled", async () => {
    const { host, user } = renderApp(STORAGE);
    await user.click(await screen.findByRole("button", { name: "Restore from a backup…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Restore from a backup?" }));
    expect(dialog.getByText(/files are not deleted/)).toBeTruthy();
    expect(asked(host, "restore_backup")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Choose a backup…" }));
    expect(await screen.findByText(/104,118 deliveries are newer than the backup/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel restore" }));
    await waitFor(() => expect(screen.queryByText("The backup is restored at the next start")).toBeNull());
  });
});

describe("the health of the files", () => {
  it("is checked when the person asks, and shown when it is known", async () => {
    const { host, user } = renderApp(STORAGE);
    const card = within(await region("Health"));
    await user.click(card.getByRole("button", { name: "Check now" }));
    expect(await card.findByText(/A check is running/)).toBeTruthy();
    expect(await card.findByText(/No problems found/)).toBeTruthy();
    expect(asked(host, "check_files")).toHaveLength(1);
  });

  it("says what is damaged, what to do, and how the app ended", async () => {
    const host = await hostWith({
      lastStop: "unclean",
      check: { state: "damaged", at: 1_700_000_000_000, findings: ["inbox.sqlite: a page cannot be read."] },
      setAside: [
        { path: "/data/aside/inbox.sqlite", at: 1_700_000_000_000, reason: "it was damaged", recovered: 9, lost: 1 },
      ],
    });
    renderApp(STORAGE, host);
    const card = within(await region("Health"));
    expect(card.getByText("inbox.sqlite: a page cannot be read.")).toBeTruthy();
    expect(card.getByText(/Make a backup now/)).toBeTruthy();
    expect(card.getByText(/confirmed as received are stored/)).toBeTruthy();
    const aside = within(await region("Damaged and replaced files"));
    expect(aside.getByText("/data/aside/inbox.sqlite")).toBeTruthy();
    expect(aside.getByText(/9 rows recovered/).textContent).toContain("one row couldn't be read");
  });
});
