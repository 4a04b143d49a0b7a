import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { importOf } from "@test/fake-import";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { setCopyTarget } from "@/lib/copy-target";

const SALE = "summer_sale_2026";
/** An outcome that was not carried out in part. */
const WHOLE = { isPartial: false, acceptedWabas: [], openWabas: [] };

async function chosen(host?: FakeHost) {
  const app = renderApp("/templates/import", host);
  await app.user.click(await screen.findByRole("button", { name: "Choose a folder…" }));
  const grid = within(await screen.findByRole("grid", { name: "Preview of the changes" }));
  return { ...app, grid };
}

const last = (host: FakeHost, name: string) => host.calls.findLast((call) => call.name === name)?.request;

describe("an import", () => {
  it("shows what would happen before anything leaves", async () => {
    const { host, user, grid } = await chosen();
    expect(screen.getByRole("heading", { level: 1, name: "Submit a folder" })).toBeDefined();
    expect(screen.getByText("/home/ana/templates/acme")).toBeDefined();
    expect(screen.getByRole("radio", { name: "All 8" })).toBeDefined();
    expect(host.calls.some(({ name }) => name === "run_import")).toBe(false);

    await user.click(grid.getAllByRole("button", { name: SALE })[0] as HTMLElement);
    expect(grid.getByRole("region", { name: "Changes" }).textContent).toContain("summer sale");
    expect(grid.getByRole("group", { name: "Before" }).textContent).toContain("summer sale");
    expect(grid.getByRole("group", { name: "After" }).textContent).toContain("summer offer");
    expect(grid.getByText(`${SALE}.en_US.json`)).toBeDefined();
  });

  it("shows why one is blocked, its notes, and its media", async () => {
    const { user, grid } = await chosen();
    const blocked = grid.getAllByRole("row")[1] as HTMLElement;
    expect(blocked.textContent).toContain("the body begins with a variable");
    expect(within(blocked).getByRole("checkbox")).toHaveProperty("disabled", true);
    await user.click(screen.getByRole("radio", { name: "New 2" }));
    await user.click(grid.getByRole("button", { name: SALE }));
    expect(grid.getByText(/The folder has no file for the header/)).toBeDefined();
    expect(grid.getByText("media/summer.jpg")).toBeDefined();
    await user.click(screen.getByRole("radio", { name: "Unchanged 1" }));
    expect(within(grid.getAllByRole("row")[1] as HTMLElement).getByRole("checkbox")).toHaveProperty("disabled", true);
  });

  it("pushes what is selected, and explains every outcome", async () => {
    const { host, user, grid } = await chosen();
    expect(screen.getByRole("button", { name: "Submit 6 templates" })).toBeDefined();
    await user.click(grid.getByRole("checkbox", { name: `Select ${SALE} pt_BR` }));
    await user.click(screen.getByRole("button", { name: "Submit 5 templates" }));
    expect(await screen.findByText("1 failed")).toBeDefined();
    expect(screen.getByText("1 with an unknown outcome")).toBeDefined();
    expect(screen.getByText(/\d created/)).toBeDefined();
    expect(screen.getByText(/\d changed/)).toBeDefined();
    expect(screen.getByText(/The app never sends them again automatically/)).toBeDefined();
    expect(screen.getByText("The name is being used by a template in deletion.")).toBeDefined();
    const request = last(host, "run_import") as { files: string[] };
    expect(request.files).toHaveLength(5);
    expect(request.files).not.toContain(`${SALE}.pt_BR.json`);

    const planned = () => host.calls.filter(({ name }) => name === "plan_import").length;
    await user.click(screen.getByRole("button", { name: "Check again" }));
    await screen.findByRole("grid", { name: "Preview of the changes" });
    await waitFor(() => expect(planned()).toBe(1));
  });

  it("shows how far it is, and can be cancelled", async () => {
    const host = createFakeHost({ templates: 40 });
    let finish: () => void = () => undefined;
    host.answer("run_import", () => new Promise((resolve) => (finish = () => resolve(importOf({ id: "plan-1" })))));
    const { user } = await chosen(host);
    await user.click(screen.getByRole("button", { name: "Submit 6 templates" }));
    const { id } = last(host, "run_import") as { id: string };
    const progress = { type: "importProgress" as const, workspace: "sandbox", id, total: 6 };
    host.emit({ ...progress, done: 2, file: "a.json", waitingUntil: Date.UTC(2026, 10, 2), waitingReason: "offline" });
    expect(await screen.findByText("2 of 6 submitted")).toBeDefined();
    expect(screen.getByText(/Waiting until .* We can't reach your provider/)).toBeDefined();
    host.emit({ ...progress, done: 3, file: "b.json", waitingUntil: null });
    await waitFor(() => expect(screen.queryByText(/Waiting until/)).toBeNull());
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(last(host, "cancel_import")).toEqual({ id }));
    finish();
    expect(await screen.findByRole("region", { name: "Results" })).toBeDefined();
  });

  it("is reported after the screen was left", async () => {
    const { user } = await chosen();
    await user.click(screen.getByRole("button", { name: "Submit 6 templates" }));
    await screen.findByRole("region", { name: "Results" });
    await user.click(screen.getByRole("link", { name: "Review" }));
    await user.click(await screen.findByRole("link", { name: "Submit a folder" }));
    expect(await screen.findByRole("region", { name: "Results" })).toBeDefined();
  });

  it("that was interrupted is there after a restart, and goes on", async () => {
    const host = createFakeHost({ templates: 40 });
    const step = { language: "pt_BR", action: "create" as const, references: [], ...WHOLE };
    let last = importOf({
      state: "interrupted",
      resumable: 2,
      outcomes: [
        { ...step, file: "a.json", name: "a", state: "done", error: null },
        { ...step, file: "b.json", name: "b", state: "notSent", error: null },
        { ...step, file: "c.json", name: "c", state: "notSent", error: null },
      ],
    });
    host.answer("last_import", () => last);
    host.answer("resume_import", () => {
      last = importOf({ outcomes: last.outcomes.map((outcome) => ({ ...outcome, state: "done" })) });
      return last;
    });
    const { user } = renderApp("/templates/import", host);
    expect(await screen.findByText(/The app was closed before all templates were submitted/)).toBeDefined();
    expect(screen.getByText("2 not sent")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Submit 2 remaining templates" }));
    expect(await screen.findByText("3 created")).toBeDefined();
    expect(last).toMatchObject({ state: "done" });

    // Its folder is looked at again.
    await user.click(screen.getByRole("button", { name: "Check again" }));
    await screen.findByRole("grid", { name: "Preview of the changes" });
    expect(host.calls.findLast(({ name }) => name === "forget_import")?.request).toEqual({ id: "plan-1" });
  });

  it("leaves out what may be submitted twice until that is confirmed, and names the list", async () => {
    const host = createFakeHost({ templates: 40 });
    const planned = await host.call("plan_import", { workspace: "sandbox", folder: "/f", wabas: [] });
    const MAY_BE_REPEATED = "import.may_be_repeated";
    host.answer("choose_import", () => ({
      ...planned,
      outdatedList: { listedAt: Date.UTC(2026, 10, 2), error: { code: "offline" as const, reason: "refused" } },
      steps: planned.steps.map((step) =>
        step.action === "create"
          ? { ...step, doubts: ["outdatedList" as const], needsOverride: [MAY_BE_REPEATED] }
          : step,
      ),
    }));
    const { user, grid } = await chosen(host);
    expect(screen.getByText("The list of templates could not be refreshed")).toBeDefined();
    expect(screen.getByText(/based on the list of/).textContent).toMatch(/Nov/);
    expect(grid.getAllByText(/may exist already/)).toHaveLength(2);
    expect(screen.queryByRole("checkbox", { name: /may be submitted twice/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Submit 4 templates" }));
    const sent = last(host, "run_import") as { files: string[]; overrides: string[] };
    expect([sent.files.length, sent.overrides]).toEqual([4, []]);
  });

  it("submits what may exist only after a confirmation", async () => {
    const host = createFakeHost({ templates: 40 });
    const planned = await host.call("plan_import", { workspace: "sandbox", folder: "/f", wabas: [] });
    const doubtful = {
      ...(planned.steps.find(({ action }) => action === "create") ?? expect.fail("no creation")),
      doubts: ["unknownOutcome" as const],
      needsOverride: ["import.may_be_repeated"],
    };
    host.answer("choose_import", () => ({ ...planned, steps: [doubtful] }));
    const { user, grid } = await chosen(host);
    await user.click(grid.getByRole("checkbox", { name: `Select ${doubtful.name} ${doubtful.language}` }));
    const submit = screen.getByRole("button", { name: "Submit 1 template" });
    expect(submit).toHaveProperty("disabled", true);
    expect(screen.queryByRole("checkbox", { name: /WhatsApp usually rejects/ })).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: /may be submitted twice/ }));
    await user.click(submit);
    expect(last(host, "run_import")).toMatchObject({
      files: [doubtful.file],
      overrides: ["import.may_be_repeated"],
    });
  });

  it("says in which WABAs a template was created and in which not", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("last_import", () =>
      importOf({
        outcomes: [
          {
            file: "a.json",
            name: "a",
            language: "pt_BR",
            action: "create",
            state: "failed",
            error: { code: "rateLimited", retryAfter: 20, errorCode: null },
            references: ["r"],
            isPartial: true,
            acceptedWabas: ["200000000000001"],
            openWabas: ["200000000000002"],
          },
        ],
      }),
    );
    renderApp("/templates/import", host);
    expect(await screen.findByText("Created in 200000000000001, not in 200000000000002.")).toBeDefined();
    expect(screen.getByText("1 partly submitted")).toBeDefined();
    expect(screen.queryByText("1 failed")).toBeNull();
    expect(screen.queryByText(/changed nothing/)).toBeNull();
  });

  it("keeps its results while its files cannot be checked again", async () => {
    const host = createFakeHost({ templates: 40 });
    const outcome = { file: "a.json", name: "a", language: "pt_BR", action: "create" as const, references: [] };
    const run = importOf({
      state: "interrupted",
      resumable: 1,
      outcomes: [{ ...outcome, ...WHOLE, state: "notSent", error: null }],
    });
    host.answer("last_import", () => run);
    host.answer("plan_import", () => refusal({ code: "file", name: "acme", reason: "permission denied" }));
    host.answer("resume_import", () => refusal({ code: "file", name: "acme", reason: "it is gone" }));
    const { user } = renderApp("/templates/import", host);
    await user.click(await screen.findByRole("button", { name: "Check again" }));
    expect(await screen.findByText("acme: permission denied")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Submit 1 remaining template" }));
    await waitFor(() => expect(last(host, "resume_import")).toBeDefined());
    expect(await screen.findByRole("region", { name: "Results" })).toBeDefined();
    expect(last(host, "forget_import")).toBeUndefined();
  });

  it("that was done is not shown again after a restart", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("last_import", () => importOf({}));
    renderApp("/templates/import", host);
    expect(await screen.findByText("No folder selected")).toBeDefined();
    expect(screen.queryByRole("region", { name: "Results" })).toBeNull();
  });

  it("is planned again for other WABAs", async () => {
    const { host, user } = await chosen();
    await user.click(screen.getByRole("combobox", { name: "WABAs to create in" }));
    await user.click(await screen.findByRole("option", { name: "102290129340411" }));
    await waitFor(() =>
      expect(last(host, "plan_import")).toEqual({
        workspace: "sandbox",
        folder: "/home/ana/templates/acme",
        wabas: ["102290129340411"],
      }),
    );
  });

  it("calls WABAs by their names", async () => {
    const host = createFakeHost({ templates: 40 });
    const workspace = await host.call("get_workspace", { workspace: "sandbox" });
    host.answer("get_workspace", () => ({
      ...workspace,
      settings: { ...workspace.settings, wabaNames: { "102290129340398": "Retail" } },
    }));
    const { user, grid } = await chosen(host);
    expect((await grid.findAllByText(/in Retail \(102290129340398\)/)).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("combobox", { name: "WABAs to create in" }));
    expect(await screen.findByRole("option", { name: "Retail (102290129340398)" })).toBeDefined();
  });

  it("finds one among many by name", async () => {
    const { user, grid } = await chosen();
    await user.type(screen.getByRole("searchbox", { name: "Search names and files" }), "order_shipped");
    await waitFor(() => expect(grid.getAllByRole("row")).toHaveLength(2));
    await user.type(screen.getByRole("searchbox", { name: "Search names and files" }), "x");
    expect(await screen.findByText("No matches")).toBeDefined();
  });

  it("does nothing where the dialog was closed, and says why a folder cannot be read", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("choose_import", () => null);
    const { user } = renderApp("/templates/import", host);
    await user.click(await screen.findByRole("button", { name: "Choose a folder…" }));
    expect(await screen.findByText("No folder selected")).toBeDefined();
    host.answer("choose_import", () => refusal({ code: "file", name: "acme", reason: "permission denied" }));
    await user.click(screen.getByRole("button", { name: "Choose a folder…" }));
    expect(await screen.findByText("acme: permission denied")).toBeDefined();
  });

  it("says when a folder holds nothing, and when the push could not begin", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("choose_import", ({ workspace, wabas }) => ({
      id: "p",
      workspace,
      source: "/empty",
      wabas,
      steps: [],
      foldersLeftOut: 0,
      outdatedList: null,
    }));
    const { unmount } = renderApp("/templates/import", host);
    (await screen.findByRole("button", { name: "Choose a folder…" })).click();
    expect(await screen.findByText("No templates found")).toBeDefined();
    unmount();
    const other = createFakeHost({ templates: 40 });
    other.answer("run_import", () => refusal({ code: "notFound", what: "The plan" }));
    const { user } = await chosen(other);
    await user.click(screen.getByRole("button", { name: "Submit 6 templates" }));
    expect(await screen.findByText("The plan")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Check again" }));
    expect(await screen.findByRole("grid", { name: "Preview of the changes" })).toBeDefined();
  });
});

it("writes every template into a folder, archived ones too", async () => {
  const { host, user } = renderApp("/templates/import");
  await user.click(await screen.findByRole("button", { name: "Export all to a folder…" }));
  await waitFor(() =>
    expect(last(host, "export_templates")).toMatchObject({
      workspace: "sandbox",
      target: { kind: "query", query: { archived: null, statuses: [] } },
    }),
  );
  expect(await screen.findByText(/templates exported/)).toBeDefined();
});

describe("a copy", () => {
  it("shows what would happen in the other workspace", async () => {
    const target = { kind: "references" as const, references: ["5f3b8f0e-0000-4000-8000-000000000000"] };
    setCopyTarget("sandbox", target);
    const { host, user } = renderApp("/templates/import?copy=yes&from=sandbox&to=acme");
    expect(await screen.findByRole("heading", { level: 1, name: "Copy templates" })).toBeDefined();
    // No plan is requested, and no error shown, before a WABA for new templates is selected.
    expect(await screen.findByText("Choose the WABAs")).toBeDefined();
    expect(last(host, "plan_copy")).toBeUndefined();
    await user.click(screen.getByRole("combobox", { name: "WABAs to create in" }));
    await user.click(await screen.findByRole("option", { name: /102290129340398/ }));
    expect(await screen.findByRole("grid", { name: "Preview of the changes" })).toBeDefined();
    expect(last(host, "plan_copy")).toEqual({ from: "sandbox", target, to: "acme", wabas: ["102290129340398"] });
    await user.click(screen.getByRole("combobox", { name: "Copy to workspace" }));
    await user.click(await screen.findByRole("option", { name: "Sandbox" }));
    await user.click(screen.getByRole("combobox", { name: "WABAs to create in" }));
    await user.click(await screen.findByRole("option", { name: /102290129340411/ }));
    await waitFor(() => expect(last(host, "plan_copy")).toMatchObject({ to: "sandbox", wabas: ["102290129340411"] }));
  });

  it("that was interrupted is deleted only when that is asked for", async () => {
    const host = createFakeHost({ templates: 40 });
    const outcome = { file: "a.json", name: "a", language: "pt_BR", action: "create" as const, references: [] };
    const run = importOf({
      isCopy: true,
      source: "Acme Retail",
      state: "interrupted",
      resumable: 1,
      outcomes: [{ ...outcome, ...WHOLE, state: "notSent", error: null }],
    });
    host.answer("last_import", () => (last(host, "forget_import") === undefined ? run : null));
    const { user } = renderApp("/templates/import", host);
    expect(await screen.findByRole("button", { name: "Submit 1 remaining template" })).toBeDefined();
    // Its files are not in a folder of the person.
    expect(screen.queryByRole("button", { name: "Check again" })).toBeNull();
    expect(last(host, "forget_import")).toBeUndefined();
    await user.click(screen.getByRole("button", { name: "Discard results" }));
    expect(await screen.findByText("No folder selected")).toBeDefined();
    expect(last(host, "forget_import")).toEqual({ id: run.id });
  });

  it("is planned again before its results are put away", async () => {
    setCopyTarget("sandbox", { kind: "references", references: ["5f3b8f0e-0000-4000-8000-000000000000"] });
    const { host, user } = renderApp("/templates/import?copy=yes&from=sandbox&to=acme");
    await user.click(await screen.findByRole("combobox", { name: "WABAs to create in" }));
    await user.click(await screen.findByRole("option", { name: /102290129340398/ }));
    await user.click(await screen.findByRole("button", { name: /^Submit \d/ }));
    await user.click(await screen.findByRole("button", { name: "Check again" }));
    expect(await screen.findByRole("grid", { name: "Preview of the changes" })).toBeDefined();
    const names = host.calls.map(({ name }) => name);
    expect(names.filter((name) => name === "plan_copy")).toHaveLength(2);
    expect(names.lastIndexOf("plan_copy")).toBeLessThan(names.indexOf("forget_import"));
  });

  it("leads to the settings of a workspace that has no WABA yet", async () => {
    setCopyTarget("sandbox", { kind: "references", references: ["5f3b8f0e-0000-4000-8000-000000000000"] });
    const host = createFakeHost({ templates: 40 });
    const acme = await host.call("get_workspace", { workspace: "acme" });
    host.answer("get_workspace", () => ({ ...acme, settings: { ...acme.settings, wabaIds: [] } }));
    renderApp("/templates/import?copy=yes&from=sandbox&to=acme", host);
    const link = await screen.findByRole("link", { name: "Settings of “Acme Retail”" });
    expect(link.getAttribute("href")).toContain("section=workspace&workspace=acme");
    expect(last(host, "plan_copy")).toBeUndefined();
  });

  it("says that nothing is chosen, after a new start", async () => {
    renderApp("/templates/import?copy=yes&from=acme&to=sandbox");
    expect(await screen.findByText("No templates selected")).toBeDefined();
  });
});
