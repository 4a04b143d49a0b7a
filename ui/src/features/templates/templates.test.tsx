import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const rows = async () => within(await screen.findByRole("grid", { name: "Templates" })).findAllByRole("row");
const lastQuery = (host: ReturnType<typeof createFakeHost>) =>
  host.calls.findLast(({ name }) => name === "list_templates")?.request;

it("gives a deleted draft back", async () => {
  const { host, user } = renderApp("/templates?view=drafts");
  const [remove] = await screen.findAllByRole("button", { name: /^Delete the draft/ });
  const drafts = screen.getAllByRole("row").length;
  await user.click(remove as HTMLElement);
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Delete draft" }));
  expect(await screen.findByText(/^Draft .* deleted$/)).toBeDefined();
  await waitFor(() => expect(screen.queryAllByRole("row")).toHaveLength(drafts - 1));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(host.calls.some(({ name }) => name === "restore_draft")).toBe(true));
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(drafts));
});

describe("an undo that fails after the page of its toast was left", () => {
  it("says why a draft is not given back", async () => {
    const { host, user } = renderApp("/templates?view=drafts");
    host.answer("restore_draft", () => refusal({ code: "storage", reason: "the disk is full" }));
    const [remove] = await screen.findAllByRole("button", { name: /^Delete the draft/ });
    await user.click(remove as HTMLElement);
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete draft" }));
    await screen.findByText(/^Draft .* deleted$/);
    await user.click(screen.getByRole("link", { name: "Sends" }));
    await screen.findByRole("heading", { level: 1, name: "Sends" });
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("the disk is full")).toBeDefined();
  });

  it("says why a template stays archived", async () => {
    const { host, user } = renderApp("/templates/5f3b8f0e-0000-4000-8000-000000000002");
    host.answer("unarchive_template", () => refusal({ code: "storage", reason: "the disk is full" }));
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Archive" }));
    await screen.findByRole("button", { name: "Undo" });
    await user.click(screen.getByRole("link", { name: "Sends" }));
    await screen.findByRole("heading", { level: 1, name: "Sends" });
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("the disk is full")).toBeDefined();
  });
});

describe("the list of templates", () => {
  it("shows rows by name, language and status, and opens one by keyboard", async () => {
    const { user } = renderApp("/templates");
    const grid = await screen.findByRole("grid", { name: "Templates" });
    expect((await rows())[0]?.getAttribute("aria-label")).toBe(
      "summer_sale_2026 en_US Approved, 102290129340398, 102290129340411",
    );
    grid.focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(await screen.findByRole("heading", { level: 1, name: "summer_sale_2026" })).toBeDefined();
    expect(screen.getByText(/pt_BR · Marketing/)).toBeDefined();
  });

  it("searches as one types, and keeps the rows until the answer is there", async () => {
    const { host, user } = renderApp("/templates");
    await screen.findByRole("grid", { name: "Templates" });
    await user.type(screen.getByRole("searchbox", { name: "Search names and texts" }), "shipped");
    expect((await rows()).length).toBeGreaterThan(0);
    await waitFor(() => expect(lastQuery(host)).toMatchObject({ search: "shipped", archived: false }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  it("says when nothing matches, and clears the filters", async () => {
    const { user } = renderApp("/templates?q=nosuchthing&status=APPROVED");
    await user.click(await screen.findByRole("button", { name: "Clear search and filters" }));
    await screen.findByRole("grid", { name: "Templates" });
    expect((await rows()).length).toBeGreaterThan(1);
  });

  it("keeps the list when the provider cannot be reached", async () => {
    const { host } = renderApp("/templates");
    await screen.findByRole("grid", { name: "Templates" });
    host.emit({ type: "syncFailed", workspace: "sandbox", error: { code: "offline", reason: "no route to host" } });
    expect(await screen.findByText("no route to host")).toBeDefined();
    expect((await rows()).length).toBeGreaterThan(1);
    host.emit({ type: "syncFinished", workspace: "sandbox" });
    await waitFor(() => expect(screen.queryByText("no route to host")).toBeNull());
  });

  it("says why it could not be fetched at all, and leads to the settings", async () => {
    const host = createFakeHost();
    host.answer("refresh_templates", () => Promise.reject({ code: "missingCredentials" }));
    const { user } = renderApp("/templates", host);
    await user.click(await screen.findByRole("button", { name: "Refresh from the provider" }));
    expect(await screen.findByText("This workspace has no credentials")).toBeDefined();
    expect(screen.getByRole("link", { name: "Open settings" })).toBeDefined();
  });

  it("asks again when the host says that templates changed", async () => {
    const host = createFakeHost({ templates: 3 });
    renderApp("/templates", host);
    await screen.findByRole("grid", { name: "Templates" });
    const asked = () => host.calls.filter(({ name }) => name === "list_templates").length;
    const before = asked();
    host.emit({ type: "templatesChanged", workspace: "sandbox" });
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });
});

describe("a template", () => {
  const rejected = "/templates/5f3b8f0e-0000-4000-8000-000000000003";

  it("says why it was rejected and begins a draft that fixes it", async () => {
    const { host, user } = renderApp(rejected);
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain("INVALID_FORMAT");
    expect(notice.textContent).toContain("Add words around them");
    await user.click(within(notice).getByRole("button", { name: "Fix and resubmit" }));
    await screen.findByRole("form", { name: "Template" });
    expect(host.calls.find(({ name }) => name === "create_draft")?.request).toMatchObject({ edit: true });
    expect(screen.getByRole("textbox", { name: /Name/ })).toHaveProperty("readOnly", true);
  });

  it("is deleted only after its name was typed", async () => {
    const { host, user } = renderApp("/templates/5f3b8f0e-0000-4000-8000-000000000002");
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("can't use the name of an approved template again for 30 days");
    expect(dialog.textContent).toContain(
      "archive it instead. WhatsApp may delete templates that stay archived for 28 days",
    );
    const confirm = within(dialog).getByRole("button", { name: "Delete template" });
    expect(confirm).toHaveProperty("disabled", true);
    await user.type(within(dialog).getByRole("textbox"), "order_shipped");
    await user.click(confirm);
    await screen.findByRole("grid", { name: "Templates" });
    expect(host.calls.find(({ name }) => name === "delete_template")?.request).toMatchObject({
      confirmedName: "order_shipped",
    });
  });

  it("is not deleted twice when the answer is lost and the list lacks it", async () => {
    const host = createFakeHost({ templates: 40 });
    const reference = "5f3b8f0e-0000-4000-8000-000000000002";
    const known = await host.call("get_template", { workspace: "sandbox", reference });
    host.answer("delete_template", () => refusal({ code: "outcomeUnknown" }));
    const { user } = renderApp(`/templates/${reference}`, host);
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox"), known.row.name);
    const confirm = within(dialog).getByRole("button", { name: "Delete template" });
    await user.click(confirm);
    await within(dialog).findByText("We don't know whether this was done");

    host.answer("get_template", () => ({ ...known, row: { ...known.row, missingSince: Date.UTC(2026, 10, 22) } }));
    host.emit({ type: "templatesChanged", workspace: "sandbox" });
    await within(dialog).findByText(/The last refresh did not list this template/);
    expect(within(dialog).queryByText("We don't know whether this was done")).toBeNull();
    expect(confirm).toHaveProperty("disabled", true);

    host.answer("get_template", () => refusal({ code: "notFound", what: "template", missing: "template" }));
    host.emit({ type: "templatesChanged", workspace: "sandbox" });
    await screen.findByText(`“${known.row.name}” was deleted.`);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.calls.filter(({ name }) => name === "delete_template")).toHaveLength(1);
  });

  it("says that it is gone when it is", async () => {
    renderApp("/templates/no-such-template");
    expect(await screen.findByText("Not found")).toBeDefined();
  });
});
