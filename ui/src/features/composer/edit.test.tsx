import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import type { EditContext, SubmissionReport } from "@/bindings/app";
import type { Component } from "@/bindings/model";
import type { CommandName } from "@/lib/ipc/host";

const reference = (index: number) => `5f3b8f0e-0000-4000-8000-${String(index).padStart(12, "0")}`;
const APPROVED = reference(0);
const REJECTED = reference(3);

async function openEdit(
  template: string,
  change: Partial<EditContext> = {},
  components = (present: Component[]): Component[] => present,
) {
  const host = createFakeHost({ templates: 40 });
  const draft = await host.call("create_draft", { workspace: "sandbox", fromTemplate: template, edit: true });
  const edited = { ...draft.template, components: components(draft.template.components) };
  await host.call("save_draft", { ...draft, template: edited });
  const context = await host.call("get_edit_context", { draft: draft.id });
  host.answer("get_edit_context", () => ({ ...context, ...change }));
  const app = renderApp(`/drafts/${draft.id}`, host);
  const banner = await screen.findByRole("region", { name: "Editing" });
  const requests = (name: CommandName) => host.calls.filter((call) => call.name === name).map((call) => call.request);
  return { ...app, banner, draft, requests };
}

const body = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body text" });

describe("an edit that is left", () => {
  it("leaves nothing behind when nothing was changed", async () => {
    const { user, requests, draft } = await openEdit(APPROVED);
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(requests("delete_draft")).toEqual([{ draft: draft.id }]));
  });

  it("is kept once something was changed", async () => {
    const { user, requests } = await openEdit(APPROVED);
    fireEvent.change(body(), { target: { value: "Another text" } });
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(requests("save_draft")).not.toEqual([]));
    await screen.findByRole("heading", { name: "Templates" });
    expect(requests("delete_draft")).toEqual([]);
  });
});

describe("the file of the header in an edit", () => {
  it("is the submitted one again at a click, as the listed sample is not accepted", async () => {
    const header: Component = {
      type: "HEADER",
      format: "IMAGE",
      example: { header_handle: ["https://cdn.example/1"] },
    };
    const { user, draft, requests } = await openEdit(
      APPROVED,
      { files: { header: { path: "/p/tulips.jpg", name: "tulips.jpg", size: 900, mime: "image/jpeg" }, cards: [] } },
      (present) => [header, ...present.filter(({ type }) => type !== "HEADER")],
    );
    const file = screen.getByRole("group", { name: "Sample file for the header" });
    expect(within(file).getByText("The present file of the template")).toBeDefined();
    await user.click(within(file).getByRole("button", { name: "Use “tulips.jpg” again" }));
    expect(within(file).getByText("tulips.jpg")).toBeDefined();
    expect(within(file).queryByRole("button", { name: /again$/ })).toBeNull();
    await waitFor(() =>
      expect(requests("save_draft").at(-1)).toMatchObject({ id: draft.id, headerFile: { path: "/p/tulips.jpg" } }),
    );
  });
});

describe("what an edit allows", () => {
  it("locks what is fixed and says why, and counts the edits left", async () => {
    const { banner } = await openEdit(APPROVED, {
      quota: { usedDay: 1, perDay: 1, usedMonth: 2, perMonth: 10, nextAt: Date.UTC(2030, 0, 2, 3, 4) },
    });
    expect(banner.textContent).toContain("Edits left: 0 of 1 today, 8 of 10 in 30 days.");
    expect(banner.textContent).toContain("made on this computer");
    expect(within(banner).getByText(/2030/).getAttribute("datetime")).toBe("2030-01-02T03:04:00.000Z");
    for (const label of ["Name", "Language"]) {
      const field = screen.getByRole<HTMLInputElement>(label === "Name" ? "textbox" : "combobox", {
        name: new RegExp(`^${label}`),
      });
      expect(field.readOnly, label).toBe(true);
      const described = field.getAttribute("aria-describedby")?.split(" ") ?? [];
      expect(described.map((id) => document.getElementById(id)?.textContent).join(), label).toMatch(/Locked\. /);
    }
    const category = screen.getByRole<HTMLInputElement>("combobox", { name: /^Category/ });
    expect(category.ariaDescription ?? category.getAttribute("aria-describedby")).toBeTruthy();
    expect(screen.getByText("WhatsApp usually rejects a new category for an approved template.")).toBeDefined();
    for (const waba of screen.getAllByRole("checkbox", { name: /^\d+$/ }))
      expect(waba).toHaveProperty("disabled", true);
  });

  it("says before the last step that no edit is left today", async () => {
    const quota = { usedDay: 1, perDay: 1, usedMonth: 2, perMonth: 10, nextAt: Date.UTC(2030, 0, 2, 3, 4) };
    const { user } = await openEdit(APPROVED, { quota });
    fireEvent.change(body(), { target: { value: "Another text" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    expect(await within(sheet).findByText(/^Edits left: 0 of 1 today/)).toBeTruthy();
  });

  it("says that an account which has it approved has limits, and stops sending it", async () => {
    const quota = { usedDay: 0, perDay: 1, usedMonth: 0, perMonth: 10, nextAt: null };
    const context = { status: "PAUSED", approvedInSome: true, editable: true, quota };
    const { user, banner } = await openEdit(APPROVED, context);
    expect(banner.textContent).toContain("sending stops there too");
    expect(banner.textContent).toContain("Edits left: 1 of 1 today");
    expect(banner.textContent).not.toContain("no limit");
    // Said once more where it is decided.
    fireEvent.change(body(), { target: { value: "Another text" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    expect(await within(sheet).findByText(/sending stops there too/)).toBeTruthy();
  });

  it.each([
    ["PENDING", false, "in review"],
    ["IN_APPEAL", false, "under appeal"],
    ["DISABLED", false, "disabled after repeated complaints"],
    ["APPROVED", true, "edits to archived templates"],
    ["SOMETHING_NEW", false, "Its status is SOMETHING_NEW"],
  ])("explains %s, archived %s, and leaves the decision to the person", async (status, archived, words) => {
    const { banner } = await openEdit(APPROVED, { status, archived, editable: false, quota: null });
    expect(banner.textContent).toContain(words);
    expect(banner.textContent).toContain("You can still send the edit");
    expect(screen.getByRole("button", { name: "Submit…" })).toHaveProperty("disabled", false);
  });

  it("says that there is nothing to submit before something changes", async () => {
    const { user } = await openEdit(APPROVED);
    const submit = screen.getByRole("button", { name: "Submit…" });
    await waitFor(() => expect(submit.getAttribute("aria-disabled")).toBe("true"));
    expect(document.getElementById(submit.getAttribute("aria-describedby") ?? "")?.textContent).toContain(
      "Nothing has changed yet",
    );
    await user.click(submit);
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.change(body(), { target: { value: "Something else entirely" } });
    expect(submit.getAttribute("aria-disabled")).toBeNull();
  });

  it("shows what changes before it is sent", async () => {
    const { user } = await openEdit(APPROVED);
    fireEvent.change(body(), { target: { value: "Something else entirely" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    const changes = await within(sheet).findByRole("region", { name: "What changes" });
    expect(within(within(changes).getByRole("group", { name: "Before" })).getByText("summer sale")).toBeDefined();
    expect(
      within(within(changes).getByRole("group", { name: "After" })).getByText("Something else entirely"),
    ).toBeDefined();
    expect(within(changes).queryByText("Your business"), "the phone names the sender").toBeNull();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Submit…" })));
  });

  it("sends an administrative context only when one is given", async () => {
    const { user, requests } = await openEdit(APPROVED);
    await user.click(screen.getByText("Advanced: administrator settings"));
    const workspace = screen.getByRole("textbox", { name: "Workspace (workspace_uuid)" });
    fireEvent.change(workspace, { target: { value: "abc" } });
    await user.click(screen.getByRole("checkbox", { name: /is_administrator/ }));
    await waitFor(() =>
      expect(requests("save_draft").at(-1)).toMatchObject({
        administration: { workspaceUuid: "abc", isAdministrator: true },
      }),
    );
    fireEvent.change(workspace, { target: { value: "" } });
    await user.click(screen.getByRole("checkbox", { name: /is_administrator/ }));
    await waitFor(() => expect(requests("save_draft").at(-1)).toMatchObject({ administration: null }));
  });
});

describe("a rejected template", () => {
  it("opens with what to fix: reason, provider's message, and a finding at each field until its value changes", async () => {
    const { banner, user } = await openEdit(REJECTED);
    expect(banner.textContent).toContain("Invalid format");
    expect(banner.textContent).toContain("INVALID_FORMAT");
    expect(banner.querySelector("q")?.textContent).toContain("Variables can't be at the beginning");
    expect(within(banner).getAllByRole("listitem")[0]?.textContent).toContain("Body: ");
    await user.click(within(banner).getByRole("button", { name: "Show problem 1" }));
    await waitFor(() => expect(document.activeElement).toBe(body()));
    const notes = () =>
      (body().getAttribute("aria-describedby")?.split(" ") ?? [])
        .map((id) => document.getElementById(id)?.textContent)
        .join();
    // The rule explains what the review found, and is counted instead of it.
    expect(notes()).toContain("Add text before {{1}}.");
    expect(notes()).not.toContain("Variables can't be at the beginning");
    fireEvent.change(body(), { target: { value: "Your {{1}} points expire soon, {{2}}!" } });
    await waitFor(() => expect(notes()).not.toContain("Add text before"));
    await waitFor(() => expect(within(banner).getAllByRole("img", { name: "Changed" })).toHaveLength(2));
    const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it("takes a rewritten text as the answer to a verdict about the category", async () => {
    const verdict = {
      code: "rejected.promotional",
      severity: "error",
      path: "/category",
      message: "The review found promotional content.",
      values: { advice: "", reason: "", word: "PROMOTIONAL" },
      source: "",
      fixable: false,
    } as const;
    const { banner } = await openEdit(REJECTED, {
      guidance: [verdict],
      answerPaths: ["/category", "/components"],
      rejectedReason: "PROMOTIONAL",
    });
    const toFix = await within(banner).findByRole("region", { name: "What to fix" });
    expect(within(toFix).queryByRole("img", { name: "Changed" })).toBeNull();
    fireEvent.change(body(), { target: { value: "Your order has been shipped, {{1}}, it arrives {{2}} at noon." } });
    expect(await within(toFix).findByRole("img", { name: "Changed" })).toBeDefined();
    expect(screen.queryAllByText("The review found promotional content.")).toHaveLength(1);
  });

  it("corrects with one click, in one step to undo", async () => {
    const { banner, user } = await openEdit(REJECTED);
    const before = body().value;
    await user.click(within(banner).getByRole("button", { name: "Fix problem 1" }));
    await waitFor(() => expect(body().value).toBe(before.replace("\t", " ")));
    await waitFor(() => expect(within(banner).queryByRole("button", { name: "Fix problem 1" })).toBeNull());
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(body().value).toBe(before);
    // The text is the rejected one again.
    expect(await within(banner).findByRole("button", { name: "Fix problem 1" })).toBeDefined();
  });

  it("is resubmitted in one step, or leads to what must be corrected", async () => {
    const { banner, user, requests } = await openEdit(REJECTED);
    await user.click(within(banner).getByRole("button", { name: "Resubmit" }));
    await waitFor(() => expect(document.activeElement).toBe(body()));
    expect(requests("submit_draft")).toEqual([]);
    fireEvent.change(body(), { target: { value: "Your {{1}} points expire soon, {{2}}!" } });
    await user.click(within(banner).getByRole("button", { name: "Resubmit" }));
    await waitFor(() => expect(requests("submit_draft")).toMatchObject([{ despiteFindings: false }]));
    expect(await screen.findByRole("heading", { level: 1, name: "summer_sale_2026" })).toBeDefined();
  });
});

describe("files under way", () => {
  it("shows which file is sent and how far, and can be cancelled", async () => {
    const { host, user, draft, requests } = await openEdit(APPROVED);
    let answer: (report: SubmissionReport) => void = () => undefined;
    host.answer("submit_draft", () => new Promise((resolve) => (answer = resolve)));
    await user.click(screen.getByRole("button", { name: "Choose a file…" }));
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    expect((await within(sheet).findAllByText(/summer\.jpg \(178 kB\)/)).length).toBeGreaterThan(0);
    await user.click(within(sheet).getByRole("button", { name: "Submit" }));
    const waba = "102290129340398";
    // An edit is for all accounts of the template.
    const progress = { type: "submissionProgress", waba: "", file: "summer.jpg", total: 182_344 } as const;
    act(() => host.emit({ ...progress, draft: "another", sent: 1 }));
    expect(within(sheet).queryByRole("progressbar")).toBeNull();
    act(() => host.emit({ ...progress, draft: draft.id, sent: 91_172 }));
    expect(within(sheet).getByText("summer.jpg: 89 kB of 178 kB uploaded")).toBeDefined();
    expect(within(sheet).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("50");
    await user.click(within(sheet).getByRole("button", { name: "Cancel sending" }));
    expect(requests("cancel_submission")).toEqual([{ draft: draft.id }]);
    const outcome = { state: "refused", error: { code: "cancelled" }, findings: [] } as const;
    act(() =>
      answer({
        complete: false,
        draftKept: false,
        reference: null,
        steps: [{ wabaIds: [waba], outcome: { ...outcome, findings: [] } }],
      }),
    );
    expect(await within(sheet).findByText("Not accepted")).toBeDefined();
    expect(within(sheet).getByRole("button", { name: "Submit again" })).toBeDefined();
  });

  it("sends what the channel usually refuses once that is overridden", async () => {
    const { draft, host, user, requests } = await openEdit(APPROVED, {
      status: "PENDING",
      editable: false,
      quota: null,
    });
    const planned = await host.call("plan_submission", { draft: draft.id });
    host.answer("plan_submission", () => ({
      ...planned,
      needsOverride: ["edit.status"],
      findings: [
        {
          code: "edit.status",
          severity: "warning",
          path: "",
          message: "The template is PENDING.",
          values: { status: "PENDING" },
          source: "contract §4.3",
          fixable: false,
        },
      ],
    }));
    fireEvent.change(body(), { target: { value: "Something else entirely" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    const submit = await within(sheet).findByRole("button", { name: "Submit" });
    expect(within(sheet).getByText("Usually rejected")).toBeDefined();
    expect(submit).toHaveProperty("disabled", true);
    await user.click(within(sheet).getByRole("checkbox", { name: "Send it even though WhatsApp usually rejects it" }));
    await user.click(submit);
    await waitFor(() => expect(requests("submit_draft")).toMatchObject([{ overrides: ["edit.status"] }]));
  });

  it("marks the fields that the provider may ignore, and which WABA has an older version", async () => {
    const { draft, host, user } = await openEdit(REJECTED);
    const planned = await host.call("plan_submission", { draft: draft.id });
    host.answer("plan_submission", () => ({
      ...planned,
      findings: [],
      requests: [
        {
          wabaIds: ["102290129340398"],
          method: "POST",
          url: "https://provider.example",
          json: null,
          curl: "curl",
          parts: [
            { name: "name", value: "a" },
            { name: "sub_category", value: "promo", beyond: "editOnly" as const },
          ],
          outcome: {
            state: "accepted" as const,
            reference: "u",
            changes: [{ path: "/components/BODY/text", before: "Old text", after: "New text", words: [] }],
          },
        },
      ],
    }));
    fireEvent.change(body(), { target: { value: "Something else entirely" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog", { name: "Submit changes" });
    expect(
      await within(sheet).findByText("The provider may ignore this field when a template is created."),
    ).toBeDefined();
    const earlier = within(sheet).getByRole("region", { name: /Created from an older version/ });
    expect(earlier.textContent).toContain("Old text");
    expect(earlier.textContent).toContain("New text");
  });
});
