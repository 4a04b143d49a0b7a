import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Draft, Inspection } from "@/bindings/app";
import type { Bubble } from "@/bindings/model";

const bodyText = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body text" });
const saves = (host: ReturnType<typeof createFakeHost>) => host.calls.filter(({ name }) => name === "save_draft");

describe("the composer", () => {
  it("shows what is typed on the phone and stores it by itself", async () => {
    const { host } = renderApp("/drafts/draft-1");
    fireEvent.change(await bodyText(), { target: { value: "Hello *there*" } });
    const phone = screen.getByRole("figure", { name: "Phone preview" });
    expect((await within(phone).findByText("there")).tagName).toBe("STRONG");
    await waitFor(() => expect(saves(host)).toHaveLength(1));
    expect(saves(host)[0]?.request).toMatchObject({ id: "draft-1", template: { name: "summer_sale_follow_up" } });
    expect(await screen.findByText("Saved")).toBeDefined();
  });

  it("saves the last change when the screen closes", async () => {
    const { host } = renderApp("/drafts/draft-1");
    fireEvent.change(await screen.findByRole("textbox", { name: /Name/ }), { target: { value: "left_in_a_hurry" } });
    window.location.hash = "/settings";
    await waitFor(() => expect(saves(host).at(-1)?.request).toMatchObject({ template: { name: "left_in_a_hurry" } }));
  });

  it("saves within a second while the person keeps typing", async () => {
    const { host } = renderApp("/drafts/draft-1");
    const body = await bodyText();
    const began = Date.now();
    // Each key comes before the pause that would store it.
    for (let key = 1; saves(host).length === 0 && Date.now() - began < 3_000; key += 1) {
      fireEvent.change(body, { target: { value: `Typing ${key}` } });
      await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    expect(saves(host).length).toBeGreaterThan(0);
  });

  it("keeps what was typed when it cannot be stored, and says so", async () => {
    const host = createFakeHost();
    renderApp("/drafts/draft-1", host);
    const body = await bodyText();
    host.answer("save_draft", () => Promise.reject({ code: "storage", reason: "the disk is full" }));
    fireEvent.change(body, { target: { value: "precious" } });
    expect(await screen.findByText("the disk is full")).toBeDefined();
    expect(screen.getByText("Not saved")).toBeDefined();
    expect(body.value).toBe("precious");
  });

  it("is saved when what was typed is undone before it is stored", async () => {
    renderApp("/drafts/draft-1");
    const body = await bodyText();
    fireEvent.change(body, { target: { value: "a slip" } });
    expect(await screen.findByText("Saving…")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Saved")).toBeDefined();
  });

  it("stores what is there after an undo while a save is under way", async () => {
    const host = createFakeHost();
    renderApp("/drafts/draft-1", host);
    const body = await bodyText();
    const before = body.value;
    let stored = () => {};
    host.answer("save_draft", () => new Promise((resolve) => (stored = () => resolve({}))));
    fireEvent.change(body, { target: { value: "a slip" } });
    await waitFor(() => expect(saves(host)).toHaveLength(1));
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(body.value).toBe(before);
    stored();
    await waitFor(() => expect(saves(host)).toHaveLength(2));
    stored();
    expect(await screen.findByText("Saved")).toBeDefined();
    expect(JSON.stringify(saves(host).at(-1)?.request)).not.toContain("a slip");
  });

  it("shows what is typed in the direction of its script", async () => {
    renderApp("/drafts/draft-1");
    expect((await bodyText()).dir).toBe("auto");
    for (const field of screen.getAllByRole<HTMLInputElement>("textbox")) expect(field.dir).toBe("auto");
  });

  it("asks for the newest text only while an answer is under way", async () => {
    const host = createFakeHost();
    const asked: string[] = [];
    const answers: ((answer: Inspection) => void)[] = [];
    const bubble = (text: string): Bubble => ({
      body: [{ kind: "line", runs: [{ text }] }],
      buttons: [],
      visible_buttons: 0,
      cards: [],
      right_to_left: false,
      unknown: [],
    });
    host.answer("inspect_template", ({ template }) => {
      asked.push(template.name);
      return new Promise((resolve) => answers.push(resolve));
    });
    renderApp("/drafts/draft-1", host);
    const name = await screen.findByRole("textbox", { name: /Name/ });
    for (const value of ["a", "ab", "abc"]) fireEvent.change(name, { target: { value } });
    expect(asked).toEqual(["summer_sale_follow_up"]);
    const answer = { findings: [], counters: [], variables: [] };
    answers[0]?.({ ...answer, bubble: bubble("old") });
    await waitFor(() => expect(asked).toEqual(["summer_sale_follow_up", "abc"]));
    answers[1]?.({ ...answer, bubble: bubble("new") });
    expect(await screen.findByText("new")).toBeDefined();
  });

  it("shows a finding at its field, in text and state, and jumps to it from the list", async () => {
    const { user } = renderApp("/drafts/draft-1");
    const name = await screen.findByRole("textbox", { name: /Name/ });
    fireEvent.change(name, { target: { value: "Bad Name" } });
    await waitFor(() => expect(name.getAttribute("aria-invalid")).toBe("true"));
    const described = name.getAttribute("aria-describedby")?.split(" ") ?? [];
    const notes = described.map((id) => document.getElementById(id)?.textContent).join();
    expect(notes).toContain("Names can't contain “B”");
    const list = screen.getByRole("list", { name: "Checks" });
    await user.click(within(list).getByRole("button", { name: /Names can't contain/ }));
    expect(document.activeElement).toBe(name);
  });

  it("does not reproach an empty field before the person has been there", async () => {
    const host = createFakeHost();
    const { user } = renderApp("/templates", host);
    await user.click(await screen.findByRole("button", { name: "New template" }));
    await user.click(await screen.findByRole("button", { name: "Start empty" }));
    const name = await screen.findByRole("textbox", { name: /Name/ });
    const check = await screen.findByRole("button", { name: /Enter a name/ });
    expect(within(check).getByRole("img", { name: "To do" })).toBeDefined();
    expect(name.getAttribute("aria-invalid")).not.toBe("true");
    await user.click(name);
    await user.tab();
    await waitFor(() => expect(name.getAttribute("aria-invalid")).toBe("true"));
    await user.type(name, "sale");
    expect(
      await within(screen.getByRole("list", { name: "Checks" })).findAllByRole("img", { name: "Error" }),
    ).not.toEqual([]);
  });

  it("adds variables, buttons and a file by their controls", async () => {
    const { host, user } = renderApp("/drafts/draft-1");
    const body = await bodyText();
    fireEvent.change(body, { target: { value: "Hi " } });
    body.setSelectionRange(3, 3);
    await user.click(screen.getByRole("button", { name: "Add variable" }));
    await waitFor(() => expect(body.value).toBe("Hi {{1}}"));
    const sample = screen.getByRole<HTMLInputElement>("textbox", { name: "Sample for {{1}}" });
    expect(sample.value, "the sample returns with its variable").toBe("Maria");
    await user.clear(sample);
    await user.type(sample, "Ana");
    await user.click(screen.getByRole("button", { name: "Add button" }));
    await user.click(await screen.findByRole("menuitem", { name: "Quick reply" }));
    await user.click(screen.getByRole("button", { name: "Choose a file…" }));
    expect(await screen.findByText("summer.jpg")).toBeDefined();
    await waitFor(() =>
      expect(saves(host).at(-1)?.request).toMatchObject({
        headerFile: { name: "summer.jpg" },
        template: {
          components: [
            { type: "HEADER" },
            { type: "BODY", text: "Hi {{1}}", example: { body_text: [["Ana"]] } },
            { type: "FOOTER" },
            { type: "BUTTONS", buttons: [{ type: "URL" }, {}, {}, { type: "QUICK_REPLY", text: "" }] },
          ],
        },
      }),
    );
  });

  it("takes a dropped file into the header", async () => {
    const { host } = renderApp("/drafts/draft-1");
    await bodyText();
    host.drop({ state: "dropped", paths: ["/pictures/leaf.png"] });
    expect(await screen.findByText("leaf.png")).toBeDefined();
  });
});

describe("submitting", () => {
  const openSheet = async (host = createFakeHost()) => {
    const app = renderApp("/drafts/draft-1", host);
    await app.user.click(await screen.findByRole("button", { name: "Submit…" }));
    return { ...app, sheet: await screen.findByRole("dialog", { name: "Submit for review" }) };
  };

  it("shows the request, then leads to the template", async () => {
    const { user, sheet, host } = await openSheet();
    // What is sent is said for people; the request is folded away.
    const facts = await within(sheet).findByLabelText("What is submitted");
    expect(facts.textContent).toContain("summer_sale_follow_up");
    expect(facts.textContent).toContain("Marketing");
    expect(facts.textContent).toContain("102290129340398");
    expect(within(sheet).getByRole("figure", { name: "Phone preview" })).toBeDefined();
    const post = within(sheet).getByText("POST");
    expect(post.closest("details")).toHaveProperty("open", false);
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Submit"));
    expect(within(sheet).getByRole("group", { name: "JSON" }).textContent).toContain('"waba_ids"');
    await user.click(within(sheet).getByRole("button", { name: "Submit" }));
    expect(await screen.findByRole("heading", { level: 1, name: "summer_sale_2026" })).toBeDefined();
    const submitted = host.calls.findIndex(({ name }) => name === "submit_draft");
    // Storing the draft after its submission would bring it back.
    expect(host.calls.slice(submitted).filter(({ name }) => name === "save_draft")).toEqual([]);
  });

  it("shows a refusal whole, and at its field", async () => {
    const host = createFakeHost();
    host.answer("submit_draft", () => ({
      complete: false,
      draftKept: false,
      reference: null,
      steps: [
        {
          wabaIds: ["102290129340398"],
          outcome: {
            state: "refused",
            error: {
              code: "service",
              status: 400,
              message: "Name taken.",
              field: "name",
              body: '{"message":"Name taken."}',
            },
            findings: [
              {
                code: "provider",
                severity: "error",
                path: "/name",
                message: "Name taken.",
                values: {},
                source: "",
                fixable: false,
              },
            ],
          },
        },
      ],
    }));
    const { user, sheet } = await openSheet(host);
    await user.click(await within(sheet).findByRole("button", { name: "Submit" }));
    expect(await within(sheet).findByText("Your provider rejected the request (400)")).toBeDefined();
    expect(within(sheet).getByText("Not accepted")).toBeDefined();
    expect(within(sheet).getByRole("button", { name: "Submit again" })).toBeDefined();
    await user.click(within(sheet).getByRole("button", { name: "Back to the draft" }));
    const name = await screen.findByRole("textbox", { name: /Name/ });
    expect(name.getAttribute("aria-invalid")).toBe("true");
  });

  it("sends a request of unknown outcome again only where the person asks for it", async () => {
    const host = createFakeHost();
    host.answer("submit_draft", () => ({
      complete: false,
      draftKept: false,
      steps: [
        { wabaIds: ["102290129340398"], outcome: { state: "unknown", error: { code: "outcomeUnknown", cause: null } } },
      ],
    }));
    const { user, sheet } = await openSheet(host);
    await user.click(await within(sheet).findByRole("button", { name: "Submit" }));
    expect(await within(sheet).findByText("Outcome unknown")).toBeDefined();
    const again = within(sheet).getByRole("button", { name: "Submit again" });
    expect(again).toHaveProperty("disabled", true);
    await user.click(within(sheet).getByRole("checkbox", { name: /with an unknown outcome/ }));
    await user.click(again);
    const sent = () => host.calls.filter(({ name }) => name === "submit_draft").map(({ request }) => request);
    await waitFor(() => expect(sent()).toMatchObject([{ resendUnknown: false }, { resendUnknown: true }]));
  });

  it("asks for the account where none is chosen", async () => {
    const host = createFakeHost();
    const plan = await host.call("plan_submission", { draft: "draft-1" });
    host.answer("plan_submission", () =>
      host.calls.some(({ name, request }) => name === "save_draft" && (request as Draft).wabaIds.length > 0)
        ? plan
        : Promise.reject({ code: "invalidInput", field: "wabaIds", message: "Choose at least one WABA." }),
    );
    const { user, sheet } = await openSheet(host);
    expect((await within(sheet).findByRole("alert")).textContent).toContain("Choose the business account");
    const account = (await within(sheet).findAllByRole("checkbox", { name: /^\d+$/ })).find(
      (box) => !(box as HTMLInputElement).checked,
    );
    await user.click(account as HTMLElement);
    expect(await within(sheet).findByRole("button", { name: "Submit" })).toBeDefined();
  });

  it("stops at errors, unless the person knows better", async () => {
    const host = createFakeHost();
    const { user } = renderApp("/drafts/draft-1", host);
    fireEvent.change(await screen.findByRole("textbox", { name: /Name/ }), { target: { value: "" } });
    await user.click(screen.getByRole("button", { name: "Submit…" }));
    const sheet = await screen.findByRole("dialog");
    expect(await within(sheet).findByRole("heading", { name: "Fix one problem first" })).toBeDefined();
    const anyway = within(sheet).getByRole("button", { name: "Submit anyway" });
    expect(anyway).toHaveProperty("disabled", true);
    await user.click(within(sheet).getByRole("checkbox", { name: "Submit despite these problems" }));
    await user.click(anyway);
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "submit_draft")?.request).toMatchObject({ despiteFindings: true }),
    );
  });
});
