import { createFakeHost, nameWabas } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { CreateDraft, DraftRow, TemplateDetail } from "@/bindings/app";

const REJECTED = "5f3b8f0e-0000-4000-8000-000000000003";
const SALE = "5f3b8f0e-0000-4000-8000-000000000000";
const DISABLED = "5f3b8f0e-0000-4000-8000-000000000007";

const DAY = 86_400_000;

const created = (host: ReturnType<typeof createFakeHost>) =>
  host.calls.findLast(({ name }) => name === "create_draft")?.request as CreateDraft | undefined;

describe("a template in several accounts", () => {
  it("shows the status in each by its name if they differ", async () => {
    const host = createFakeHost();
    await nameWabas(host, { "102": "Retail", "102290129340411": "Shoes" });
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    const wabaStatuses = [
      { waba: "102", status: "APPROVED", at: Date.UTC(2026, 10, 22) },
      { waba: "103", status: "REJECTED", reason: "SCAM" },
    ];
    host.answer("get_template", () => ({ ...known, wabaStatuses }));
    renderApp(`/templates/${SALE}`, host);
    const list = await screen.findByRole("list", { name: "The status differs between accounts" });
    expect(await within(list).findByText("Retail")).toBeDefined();
    const rows = within(list).getAllByRole("listitem");
    expect(rows[0]?.textContent).toMatch(/Approved.*Retail/);
    expect(rows[1]?.textContent).toMatch(/Rejected.*103/);
    expect(screen.getByText("102290129340398, Shoes (102290129340411)")).toBeDefined();
  });
});

describe("a template that the last refresh did not list", () => {
  it("says since when, and what happens next", async () => {
    const host = createFakeHost();
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    const row = { ...known.row, missingSince: Date.UTC(2026, 10, 22) };
    host.answer("get_template", () => ({ ...known, row }));
    renderApp(`/templates/${SALE}`, host);
    const notice = await screen.findByRole("status", { name: /^Missing in your provider's list since .*2026/ });
    expect(notice.textContent).toContain("If the next one doesn't either, we move it");
  });
});

describe("a template that nobody uses", () => {
  const shown = async (archival: TemplateDetail["row"]["archival"]) => {
    const host = createFakeHost();
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    host.answer("get_template", () => ({
      ...known,
      row: { ...known.row, archival },
      riskUntil: Date.now() + 60 * DAY,
    }));
    return renderApp(`/templates/${SALE}`, host);
  };
  const coming = (days: number) => {
    const archivedAt = Date.now() + days * DAY;
    return {
      kind: "coming" as const,
      lastActivity: archivedAt - 365 * DAY,
      archivedAt,
      deletedAt: archivedAt + 28 * DAY,
    };
  };

  it("says when it is archived and deleted, by which rule, and how to keep it", async () => {
    const { host, user } = await shown(coming(20));
    const notice = await screen.findByRole("status", { name: "WhatsApp archives this template if nobody uses it" });
    expect(notice.textContent).toContain("after 12 months without use, and deletes them 28 days later");
    expect(notice.textContent).toContain("What happened elsewhere is unknown here");
    const keep = within(notice).getByRole("link", { name: "Keep by a test send" });
    expect(keep.getAttribute("href")).toContain(`/sends/new?reference=${SALE}`);
    await user.click(within(notice).getByRole("button", { name: "Export" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "export_templates")?.request).toMatchObject({
        target: { kind: "references", references: [SALE] },
      }),
    );
  });

  it("does not claim a date that has passed", async () => {
    await shown(coming(-3));
    const notice = await screen.findByRole("status", { name: /^WhatsApp archives this template/ });
    expect(notice.textContent).toContain("this date has passed. The template was used elsewhere");
  });

  it.each([
    ["unknownUse" as const, "Date unknown: no use of this template is known here."],
    ["unknownStatus" as const, "Date unknown: your provider does not state the status of this template."],
    ["archived" as const, "Date unknown: when this template was archived is not known here."],
  ])("says that the date is unknown: %s", async (kind, text) => {
    await shown({ kind });
    expect(await screen.findByText(text)).toBeDefined();
    expect(screen.queryByRole("status", { name: /WhatsApp (archives|deletes) this template/ })).toBeNull();
  });
});

describe("the content of a template", () => {
  it("is named in words, and says of a sample file what is known of it", async () => {
    const host = createFakeHost();
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    const header_handle = ["https://files.example.com/media/spring%20sale.jpg?ext=1"];
    const components = [
      { type: "HEADER" as const, format: "IMAGE", example: { header_handle } },
      { type: "BODY" as const, text: "Hi" },
      { type: "BUTTONS" as const, buttons: [{ type: "QUICK_REPLY" as const, text: "Later" }] },
    ];
    const template = { ...known.template, components, parameter_format: "POSITIONAL" };
    host.answer("get_template", () => ({ ...known, template }) as unknown as TemplateDetail);
    const { user } = renderApp(`/templates/${SALE}`, host);
    const header = await screen.findByRole("region", { name: "Header" });
    expect(header.textContent).toBe("HeaderImageSample file: spring sale.jpg");
    const buttons = screen.getByRole("region", { name: "Buttons" });
    expect(within(buttons).getByText("Quick reply")).toBeDefined();
    const more = screen.getByText("More details");
    expect(more.closest("details")?.open).toBe(false);
    await user.click(more);
    expect(more.closest("details")?.textContent).toContain("VariablesNumbers");
    expect(more.closest("details")?.textContent).toContain("Sending APICloud API");
  });
});

describe("a template that is paused or rated low", () => {
  const shown = async (change: Partial<TemplateDetail["row"]>, more: Partial<TemplateDetail> = {}) => {
    const host = createFakeHost();
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    host.answer("get_template", () => ({ ...known, row: { ...known.row, ...change }, ...more }));
    renderApp(`/templates/${SALE}`, host);
  };

  it("says why, how it is rated, until when, and what to do", async () => {
    const at = Date.now() - 3_600_000;
    await shown(
      { status: "PAUSED", quality: "RED" },
      {
        statusCause: {
          kind: "paused",
          at,
          title: "FIRST_PAUSE",
          description: "People block it.",
          endsAt: at + 3 * 3_600_000,
        },
      },
    );
    const title = await screen.findByText("Paused: this template can't be sent now");
    const notice = title.closest('[role="status"]')?.textContent;
    expect(notice).toContain("First pause, because of low quality. People block it.");
    expect(notice).toContain("QualityLow");
    expect(notice).toContain("(in 2 hours)");
    expect(notice).toContain("Wait until the pause ends");
  });

  it("does not say that a template can't be sent where another account can", async () => {
    const wabaStatuses = [
      { waba: "1", status: "PAUSED" },
      { waba: "2", status: "APPROVED" },
    ];
    await shown({ status: "PAUSED" }, { statusCause: { kind: "paused" }, sendable: true, wabaStatuses });
    expect(await screen.findByText("Paused in some accounts: the others can send this template")).toBeTruthy();
  });

  it("says so where no event gave a cause, and shows unknown words as they came", async () => {
    await shown({ status: "PAUSED" }, { statusCause: { kind: "paused", title: "NEW_PAUSE", reason: "NEW_REASON" } });
    const notice = (await screen.findByText("Paused: this template can't be sent now")).closest(
      '[role="status"]',
    )?.textContent;
    expect(notice).toContain("NEW_PAUSE. New reason");
    expect(notice).toContain("End of the pauseNot known");
  });

  it("says that a refresh contradicts a webhook shortly before it", async () => {
    const at = Date.UTC(2026, 10, 30, 12);
    await shown({ status: "APPROVED" }, { contradicted: { status: "PAUSED", at } });
    const title = await screen.findByText(
      "Your provider lists this template as “Approved”, and reported “Paused” shortly before",
    );
    expect(title.closest('[role="status"]')?.textContent).toMatch(/Time of the change: .*2026.*Refresh again/);
  });

  it("of low quality says what follows", async () => {
    await shown({ status: "APPROVED", quality: "RED" }, { statusCause: { kind: "lowQuality" } });
    const notice = (await screen.findByText("The quality of this template is low")).closest('[role="status"]');
    expect(notice?.textContent).toContain("If the quality stays low, WhatsApp pauses it.");
  });

  it("names the account that it is about, where the template is in several", async () => {
    const accounts = [
      { waba: "1", quality: "RED" },
      { waba: "2", quality: "GREEN" },
    ];
    const row = { status: "APPROVED", quality: "RED", wabas: ["1", "2"] };
    await shown(row, { statusCause: { kind: "lowQuality" }, accounts });
    const notice = (await screen.findByText("The quality of this template is low")).closest('[role="status"]');
    expect(notice?.textContent).toMatch(/^The quality of this template is lowAccount1Cause/);
  });

  it("names the account of the event", async () => {
    const statusCause = { kind: "paused", at: 1, waba: "2" } as const;
    await shown({ status: "PAUSED", wabas: ["1", "2"] }, { statusCause });
    const title = "Paused: this template can't be sent now";
    const notice = (await screen.findByText(title)).closest('[role="status"]');
    expect(notice?.textContent).toContain(`${title}Account2Cause`);
  });

  it("of medium quality is not called low", async () => {
    await shown({ status: "APPROVED", quality: "YELLOW" }, { statusCause: { kind: "mediumQuality" } });
    const notice = (await screen.findByText("The quality of this template is medium")).closest('[role="status"]');
    expect(notice?.textContent).toContain("QualityMedium");
    expect(notice?.textContent).toContain("If the quality falls to low, WhatsApp can pause it.");
  });

  it("shows the category that it got, and the one that it will get with its date", async () => {
    await shown(
      { category: "MARKETING", askedCategory: "UTILITY" },
      { comingCategory: { category: "authentication", at: Date.UTC(2027, 0, 5, 12) } },
    );
    const notice = (await screen.findByText("WhatsApp will change the category")).closest('[role="status"]');
    expect(notice?.textContent).toContain("You requested Utility, and the template is Marketing.");
    expect(notice?.textContent).toContain("It is Marketing now and becomes Authentication. Date of the change: ");
    expect(notice?.textContent).toContain("2027");
  });

  describe("a category that costs more", () => {
    const month = {
      currency: "USD",
      isSample: false,
      before: "1.36",
      after: "12.5",
      added: "11.14",
      messages: 203,
      unknown: 3,
    };
    const change = { category: "MARKETING", askedCategory: "UTILITY" };
    const notice = async () =>
      (await screen.findByText("WhatsApp changed the category")).closest('[role="status"]')?.textContent;

    it("says what it costs a month, without the messages of unknown price, and until when a review is possible", async () => {
      await shown(change, { raisedCategory: { month, appealUntil: Date.UTC(2030, 0, 5, 12) } });
      expect(await notice()).toContain(
        "200 messages of the last 30 days, sent from here, cost about $12.50 instead of $1.36: $11.14 more a month. The prices of 3 messages are unknown; they are not included.",
      );
      expect(await notice()).toMatch(/You can request a review of the category in WhatsApp Manager until .*2030/);
      expect(await notice()).not.toContain("within 60 days");
    });

    it.each([
      [{ ...month, messages: 0, unknown: 0 }, "No message of this template was sent from here"],
      [{ ...month, messages: 3 }, "What the change costs is unknown"],
      [null, "import a rate card in Settings"],
    ])("never says that it costs nothing where that is unknown", async (month, text) => {
      await shown(change, { raisedCategory: { month } });
      expect(await notice()).toContain(text);
      expect(await notice()).not.toContain("$");
      expect(await notice()).toContain("within 60 days");
      expect(screen.getByRole("button", { name: "Write a new utility text" })).toBeDefined();
    });
  });
});

describe("a rejection", () => {
  it("is explained with its path, and marks the component", async () => {
    const { user } = renderApp(`/templates/${REJECTED}?tab=json`);
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByText("Rejected: Invalid format")).toBeDefined();
    expect(notice.textContent).toContain("Go through the checks in the editor");
    const about = within(notice).getByRole("list", { name: "What to check" });
    expect(about.textContent).toContain("Add text before {{1}}.");
    await user.click(within(about).getAllByRole("button", { name: "Go to: Body · Text" })[0] as HTMLElement);
    const body = await screen.findByRole("region", { name: "Body" });
    await waitFor(() => expect(document.activeElement).toBe(body));
    expect(body.dataset.marked).toBe("error");
    expect(within(body).getByText(/^Add text before \{\{1\}\}\./)).toBeDefined();
  });

  it("leads to the card it is about, and opens it", async () => {
    const host = createFakeHost({ templates: 40 });
    const carousel = await host.call("get_template", {
      workspace: "sandbox",
      reference: "5f3b8f0e-0000-4000-8000-000000000004",
    });
    host.answer("get_template", () => ({
      ...carousel,
      row: { ...carousel.row, status: "REJECTED", rejectedReason: "SOMETHING_NEW" },
      guidance: [
        {
          code: "rejected.other",
          severity: "error",
          path: "/components/1/cards/2/components/1/text",
          message: "Card three is too loud.",
          values: {},
          source: "",
          fixable: false,
        },
      ],
    }));
    const { user } = renderApp("/templates/5f3b8f0e-0000-4000-8000-000000000004", host);
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByText("Rejected: Something new")).toBeDefined();
    expect(notice.textContent).toContain("SOMETHING_NEW");
    await user.click(within(notice).getByRole("button", { name: "Go to: Carousel · Card 3 · Body · Text" }));
    await waitFor(() => expect(document.activeElement?.textContent).toContain("Card three is too loud."));
    expect(document.activeElement?.closest("details")?.open).toBe(true);
  });

  it("is silent once the template is no longer rejected", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail = await host.call("get_template", { workspace: "sandbox", reference: REJECTED });
    host.answer("get_template", () => ({ ...detail, row: { ...detail.row, status: "APPROVED" }, guidance: [] }));
    renderApp(`/templates/${REJECTED}`, host);
    await screen.findByRole("region", { name: "Body" });
    expect(screen.queryByText(/^Rejected/)).toBeNull();
  });
});

describe("a template that the channel usually takes no edit of", () => {
  it("can be edited after a warning", async () => {
    const { host, user } = renderApp(`/templates/${DISABLED}`);
    const edit = await screen.findByRole("button", { name: "Edit" });
    await user.hover(edit);
    expect((await screen.findByRole("tooltip")).textContent).toContain("WhatsApp usually rejects edits");
    await user.click(edit);
    await waitFor(() => expect(created(host)).toEqual({ workspace: "sandbox", fromTemplate: DISABLED, edit: true }));
  });
});

describe("the versions", () => {
  it("show the review's answer and the changes, and can be used again", async () => {
    const { host, user } = renderApp(`/templates/${REJECTED}?tab=versions`);
    const list = await screen.findByRole("list", { name: "Versions, newest first" });
    const [newest, oldest] = within(list).getAllByRole("article");
    if (!newest || !oldest) throw new Error("two versions");
    expect(newest.textContent).toContain("Invalid format");
    expect(within(newest).getByText("utility").tagName).toBe("DEL");
    expect(oldest.textContent).toContain("The content doesn't match the language or category");
    expect(oldest.textContent).toContain("First version");

    await user.click(within(oldest).getByRole("button", { name: "Preview" }));
    expect(await screen.findByText(/Dear customer/, { selector: "aside *" })).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Show the current version" }));
    expect(screen.queryByText(/Dear customer/, { selector: "aside *" })).toBeNull();

    await user.click(within(oldest).getByRole("button", { name: /^Use this version: / }));
    await waitFor(() =>
      expect(created(host)).toEqual({
        workspace: "sandbox",
        fromTemplate: REJECTED,
        fromVersion: `${REJECTED}-1`,
        edit: true,
      }),
    );
  });

  it("make a new draft where the template takes no edit", async () => {
    const { host, user } = renderApp(`/templates/${DISABLED}?tab=versions`);
    await user.click((await screen.findAllByRole("button", { name: /^Use this version: / }))[0] as HTMLElement);
    await waitFor(() => expect(created(host)).toMatchObject({ fromVersion: `${DISABLED}-2`, edit: false }));
  });

  it("may be none", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_versions", () => []);
    renderApp(`/templates/${REJECTED}?tab=versions`, host);
    expect(await screen.findByText("No versions yet")).toBeDefined();
  });

  it("are refetched when the review decides", async () => {
    const { host } = renderApp(`/templates/${REJECTED}?tab=versions`);
    await screen.findByRole("list", { name: "Versions, newest first" });
    const asked = () => host.calls.filter(({ name }) => name === "list_versions").length;
    const before = asked();
    host.emit({ type: "templateStatusChanged", workspace: "sandbox", name: "a", language: "en", event: "APPROVED" });
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });
});

describe("another language", () => {
  it("is begun by keyboard, with those that exist marked", async () => {
    const { host, user } = renderApp(`/templates/${SALE}`);
    (await screen.findByRole("button", { name: "More actions" })).focus();
    await user.keyboard("{Enter}");
    (await screen.findByRole("menuitem", { name: "Add language…" })).focus();
    await user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Add a language to “summer_sale_2026”" });
    const field = within(dialog).getByRole("combobox", { name: "Language" });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.keyboard("{ArrowDown}");
    const taken = await screen.findByRole("option", { name: /Portuguese \(Brazil\) \(pt_BR\) — already exists/ });
    expect(taken.dataset.comboboxDisabled).toBe("true");
    await user.type(field, "mexico");
    await user.keyboard("{ArrowDown}{Enter}");
    within(dialog).getByRole("button", { name: "Create draft" }).focus();
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(created(host)).toEqual({
        workspace: "sandbox",
        fromTemplate: SALE,
        language: "es_MX",
        edit: false,
      }),
    );
  });

  it("has one row with its accounts where they have it separately", async () => {
    const host = createFakeHost();
    const known = (await host.call("get_template", { workspace: "sandbox", reference: SALE })) as TemplateDetail;
    const other = { ...known.row, reference: "other", wabas: ["102290129340411"] };
    host.answer("get_template", () => ({ ...known, languages: [other] }));
    renderApp(`/templates/${SALE}?tab=languages`, host);
    const list = await screen.findByRole("list", { name: "Languages of this template" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(1);
    expect(within(list).getAllByRole("link")).toHaveLength(2);
    expect(within(list).getAllByText(/102290129340411/).length).toBeGreaterThan(0);
    expect(screen.getByRole("tab", { name: "Languages (1)" })).toBeDefined();
  });

  it("opens the draft that a language has already", async () => {
    const host = createFakeHost();
    const [draft] = await host.call("list_drafts", { workspace: "sandbox" });
    const row = { ...draft, id: "draft-1", name: "summer_sale_2026", language: "es_MX", edits: null };
    host.answer("list_drafts", () => [row as DraftRow]);
    const { user } = renderApp(`/templates/${SALE}?tab=languages`, host);
    await user.click(await screen.findByRole("button", { name: "Add language…" }));
    await user.click(await screen.findByRole("combobox", { name: "Language" }));
    await user.click(await screen.findByRole("option", { name: /Spanish \(Mexico\).* — has a draft/ }));
    expect(screen.getByText("A draft in this language exists. Continue with it.")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Open draft" }));
    await waitFor(() => expect(window.location.hash).toContain("/drafts/draft-1"));
    expect(host.calls.some(({ name }) => name === "create_draft")).toBe(false);
  });

  it("is offered where there is no other one", async () => {
    const { user } = renderApp(`/templates/${REJECTED}?tab=languages`);
    await user.click(await screen.findByRole("button", { name: "Add language…" }));
    expect(await screen.findByRole("dialog", { name: /^Add a language/ })).toBeDefined();
  });
});

it("duplicates a draft from the list", async () => {
  const { host, user } = renderApp("/templates?view=drafts");
  await user.click(await screen.findByRole("button", { name: "Duplicate the draft “summer_sale_follow_up”" }));
  await waitFor(() => expect(created(host)).toEqual({ workspace: "sandbox", fromDraft: "draft-1", edit: false }));
});
