import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { StepOutcome, SubmissionReport } from "@/bindings/app";

const APPROVED = "5f3b8f0e-0000-4000-8000-000000000000";

/** Answers of the provider to an edit, as the host reports them. */
const REFUSED: StepOutcome = {
  state: "refused",
  error: {
    code: "service",
    status: 422,
    message: "Invalid parameter",
    details: "The body is too long.",
    body: '{"message":"Invalid parameter"}',
  },
  findings: [
    {
      code: "provider",
      severity: "error",
      path: "/components/1/text",
      message: "The body is too long.",
      values: {},
      source: "",
      fixable: false,
    },
  ],
};
const UNKNOWN: StepOutcome = { state: "unknown", error: { code: "outcomeUnknown", cause: null } };

/** What is known of an edit of unknown outcome stays with its draft: each test has another one. */
let edits = 0;

async function submitEdit(outcome: StepOutcome) {
  const host = createFakeHost({ templates: 5 });
  edits += 1;
  for (let before = 1; before < edits; before += 1)
    await host.call("create_draft", { workspace: "sandbox", edit: false });
  const draft = await host.call("create_draft", { workspace: "sandbox", fromTemplate: APPROVED, edit: true });
  host.answer("submit_draft", (): SubmissionReport => {
    const steps = [{ wabaIds: draft.wabaIds, outcome }];
    return { complete: false, draftKept: false, reference: APPROVED, steps };
  });
  const app = renderApp(`/drafts/${draft.id}`, host);
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body text" });
  fireEvent.change(body, { target: { value: "Something else entirely" } });
  const open = async () => {
    await app.user.click(screen.getByRole("button", { name: "Submit…" }));
    return within(await screen.findByRole("dialog", { name: "Submit changes" }));
  };
  const sheet = await open();
  await app.user.click(await sheet.findByRole("button", { name: "Submit" }));
  const submissions = () => host.calls.filter(({ name }) => name === "submit_draft").map(({ request }) => request);
  return { ...app, open, sheet, submissions, draft: draft.id };
}

describe("an edit that the provider does not confirm", () => {
  it("shows why the provider rejected it, and at which field", async () => {
    const { sheet } = await submitEdit(REFUSED);
    const outcome = within(await sheet.findByRole("article", { name: "102290129340398" }));
    expect(outcome.getByText("Not accepted")).toBeDefined();
    expect(outcome.getByRole("alert").textContent).toContain("Your provider rejected the request (422)");
    const fields = within(outcome.getByRole("list", { name: "Rejected fields" }));
    expect(fields.getByRole("button").textContent).toContain("The body is too long.");
    expect(sheet.getByRole("button", { name: "Submit again" })).toHaveProperty("disabled", false);
  });

  it("is sent again after an unknown outcome only where the person asks for it, also in a panel opened again", async () => {
    const { sheet, user, open, submissions } = await submitEdit(UNKNOWN);
    expect(await sheet.findByText("Outcome unknown")).toBeDefined();
    expect(sheet.getByText(/^We don't know whether the changes were accepted/)).toBeDefined();
    await user.click(sheet.getByRole("button", { name: "Back to the draft" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    const again = await open();
    const submit = await again.findByRole("button", { name: "Submit again" });
    expect(submit).toHaveProperty("disabled", true);
    await user.click(again.getByRole("checkbox", { name: /with an unknown outcome/ }));
    expect(again.getByText(/they may count as another edit/)).toBeDefined();
    await user.click(submit);
    await waitFor(() => expect(submissions()).toMatchObject([{ resendUnknown: false }, { resendUnknown: true }]));
  });
});

/** A listing shows that the submission of a draft was accepted. */
function reconcile(host: FakeHost, draft: string) {
  host.answer("list_drafts", () => []);
  host.answer("get_draft", () =>
    refusal({ code: "conflict", message: "accepted", fault: { kind: "accepted", template: APPROVED } }),
  );
  host.emit({ type: "draftSaved", workspace: "sandbox", id: draft });
}

it("leads to the template once a listing shows that a submission without an answer was accepted", async () => {
  const { sheet, host, draft } = await submitEdit(UNKNOWN);
  expect(await sheet.findByText("Outcome unknown")).toBeDefined();
  const drafts = host.calls.filter(({ name }) => name === "save_draft").length;
  reconcile(host, draft);
  await waitFor(() => expect(window.location.hash).toBe(`#/templates/${APPROVED}`));
  expect(await screen.findByText(/submitted/i)).toBeDefined();
  expect(host.calls.filter(({ name }) => name === "save_draft")).toHaveLength(drafts);
});

it("keeps what is being typed while a listing shows that the submission was accepted", async () => {
  const { sheet, host, draft, user } = await submitEdit(UNKNOWN);
  expect(await sheet.findByText("Outcome unknown")).toBeDefined();
  await user.click(sheet.getByRole("button", { name: "Back to the draft" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  fireEvent.change(screen.getByRole("textbox", { name: "Body text" }), { target: { value: "Typed meanwhile" } });
  reconcile(host, draft);
  await waitFor(() => expect(host.calls.some(({ name }) => name === "get_draft")).toBe(true));
  await waitFor(() =>
    expect(JSON.stringify(host.calls.findLast(({ name }) => name === "save_draft")?.request)).toContain(
      "Typed meanwhile",
    ),
  );
  expect(window.location.hash).toBe(`#/drafts/${draft}`);
});

describe("the check before a submission", () => {
  it("is of the name as it was corrected after the panel opened", async () => {
    const host = createFakeHost();
    const ask = host.call.bind(host);
    let correct: () => void = () => undefined;
    const corrected = new Promise<void>((resolve) => (correct = resolve));
    const { template } = await ask("get_draft", { draft: "draft-1" });
    const name = "promo_flores_primavera_cafe_2026";
    host.answer("rewrite_template", async () => {
      await corrected;
      return { ...template, name };
    });
    const { user } = renderApp("/drafts/draft-1", host);
    const field = await screen.findByRole("textbox", { name: /^Name/ });
    await user.click(field);
    fireEvent.change(field, { target: { value: "Promo Flores Primavera & Café 2026" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Submit for review" }));
    expect(await sheet.findByRole("heading", { name: "Fix one problem first" })).toBeDefined();
    await act(async () => correct());
    await waitFor(() => expect(sheet.queryByRole("heading", { name: "Fix one problem first" })).toBeNull());
    expect((await sheet.findByLabelText("What is submitted")).textContent).toContain(name);
    await waitFor(() => expect(document.activeElement).toBe(sheet.getByRole("button", { name: "Submit" })));
  });
});
