import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SendingNumber } from "@/bindings/app";

const region = async (name: string) => within(await screen.findByRole("region", { name }));
const asked = (host: FakeHost, command: string) => host.calls.filter(({ name }) => name === command).at(-1)?.request;
const rowOf = (name: RegExp) => screen.findByRole("row", { name });

describe("figures of messages", () => {
  it("say how far messages came, of what each share is, and what they cover", async () => {
    renderApp("/insights?tab=messages");
    const steps = within((await (await region("Delivery funnel")).findAllByRole("list"))[0] as HTMLElement);
    const words = steps.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(words).toEqual([
      "Sent1,840",
      "Delivered1,78397% of sent",
      "Read1,26671% of delivered",
      "Replied21412% of delivered",
      "Clicked1076% of those with reply buttons",
      "Failed573% of sent",
    ]);
    expect(screen.getByText(/^Covers Oct 22 . Nov 20, 2026: 1,840 messages\.$/)).toBeTruthy();
    expect(screen.getByText(/Replies count only if they refer to the message/)).toBeTruthy();
    expect(screen.getByText("12 more are not listed. Export as CSV to see them.")).toBeTruthy();
  });

  it("show clicks as not known where nothing reports them", async () => {
    const host = createFakeHost({ templates: 40 });
    const answer = await host.call("get_funnel", { workspace: "sandbox", by: "template", limit: 10 });
    const [row] = answer.rows;
    if (!row) throw new Error("a row");
    const unknown = { ...row, clicked: 0, tappable: 0 };
    host.answer("get_funnel", () => ({ ...answer, total: unknown, rows: [unknown] }));
    renderApp("/insights?tab=messages", host);
    expect(await screen.findByText(/^Clicked: not known\. A tap on a quick reply/)).toBeDefined();
    expect(within(await rowOf(new RegExp(row.key))).getByRole("cell", { name: "not known" })).toBeDefined();
    expect(screen.queryByText(/^Clicked0/)).toBeNull();
  });

  it("explain codes they know, and show those they do not", async () => {
    renderApp("/insights?tab=messages");
    expect((await rowOf(/^131026 The message can't be delivered/)).textContent).toContain("Check the number");
    expect((await rowOf(/^999999/)).textContent).toContain("doesn't know this code");
  });

  it("give counts instead of percentages of a few", async () => {
    renderApp("/insights?tab=messages");
    const row = await rowOf(/one_time_code/);
    expect(within(row).getByText("4 of 6")).toBeTruthy();
    expect(row.textContent).not.toContain("%");
  });

  it("are narrowed and grouped, which the address keeps", async () => {
    const { host, user } = renderApp("/insights?tab=messages");
    await user.click(await screen.findByRole("button", { name: "Only order_shipped" }));
    await user.click(screen.getByRole("radio", { name: "Week" }));
    await user.click(screen.getByRole("radio", { name: "All" }));
    await waitFor(() =>
      expect(asked(host, "get_funnel")).toMatchObject({ template: "order_shipped", by: "week", from: null, to: null }),
    );
    expect(await rowOf(/Nov 9\s–\s15/)).toBeTruthy();
    expect(window.location.hash).toContain("by=week");
    await user.click(screen.getByRole("button", { name: "Remove filters" }));
    await waitFor(() => expect(window.location.hash).not.toContain("order_shipped"));
  });

  it("are not requested for a reversed range or an incomplete day", async () => {
    const { host, user } = renderApp("/insights?tab=messages&range=dates&from=2026-11-10&to=2026-11-20");
    await rowOf(/summer_sale_2026/);
    const last = screen.getByLabelText<HTMLInputElement>("Last day");
    await user.clear(last);
    await waitFor(() => expect(asked(host, "get_funnel")).toMatchObject({ from: "2026-11-10", to: null }));
    const before = host.calls.length;
    await user.type(last, "2026-11-01");
    expect(await screen.findByText("The last day is before the first day.")).toBeTruthy();
    expect(host.calls.length).toBe(before);
  });

  it("are written into a file, and where is said", async () => {
    const { host, user } = renderApp("/insights?tab=messages&by=language");
    await rowOf(/Portuguese \(Brazil\)/);
    await user.click(screen.getByRole("button", { name: "Export as CSV" }));
    expect(await screen.findByText("/home/ana/Documents/funnel.csv")).toBeTruthy();
    expect(asked(host, "export_insights")).toMatchObject({ what: "funnel", funnel: { by: "language" } });
  });

  it("are written for what was spent, too", async () => {
    const { host, user } = renderApp("/settings?section=prices");
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    await screen.findByText("180 prices for 41 markets");
    await user.click(screen.getByRole("link", { name: "Insights" }));
    await user.click(await screen.findByRole("tab", { name: "Pricing" }));
    await user.click(await screen.findByRole("button", { name: "Export spend as CSV" }));
    await waitFor(() =>
      expect(asked(host, "export_insights")).toMatchObject({ what: "spend", pricing: { workspace: "sandbox" } }),
    );
  });

  it("say why they could not be written or read", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("export_insights", () => refusal({ code: "file", name: "x.csv", reason: "the disk is full" }));
    host.answer("get_pricing", () => refusal({ code: "storage", reason: "the cache cannot be read" }));
    const { user } = renderApp("/insights?tab=reviews", host);
    await user.click(await screen.findByRole("button", { name: "Export as CSV" }));
    expect(await screen.findByText(/the disk is full/)).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("tab", { name: "Pricing" }));
    expect(await screen.findByText(/the cache cannot be read/)).toBeTruthy();
  });

  it("say so where there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    const answer = await host.call("get_funnel", { workspace: "sandbox", by: "template", limit: 1 });
    host.answer("get_funnel", () => ({
      ...answer,
      covers: { from: null, to: null, sends: 0, unknownSender: 0, notes: [] },
    }));
    renderApp("/insights?tab=messages", host);
    expect(await screen.findByText("No messages in this period")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Export as CSV" }).hasAttribute("disabled")).toBe(true);
  });
});

it("begins with the funnel", async () => {
  renderApp("/insights");
  await region("Delivery funnel");
  const tabs = screen.getAllByRole("tab").map(({ textContent }) => textContent);
  expect(tabs).toEqual(["Messages", "Reviews", "Pricing", "Overview"]);
});

describe("the overview", () => {
  it("has statuses in the order of a life, and events by their number", async () => {
    const host = createFakeHost({ templates: 40 });
    const answer = await host.call("get_insights", { workspace: "sandbox" });
    const facets = (...values: string[]) => values.map((value, index) => ({ value, count: index + 1 }));
    host.answer("get_insights", () => ({
      ...answer,
      statuses: facets("delivered", "failed", "read", "sent"),
      templates: facets("APPROVED", "ARCHIVED", "NEW_WORD", "PENDING", "REJECTED"),
    }));
    renderApp("/insights?tab=overview", host);
    const rows = async (name: string) =>
      (await region(name)).getAllByRole("rowheader").map(({ textContent }) => textContent);
    expect(await rows("Message statuses")).toEqual(["Sent", "Delivered", "Read", "Failed"]);
    expect(await rows("Templates")).toEqual(["Approved", "Pending", "Rejected", "Archived", "New word"]);
    expect((await rows("Events"))[0]).toBe("Message status");
  });
});

describe("figures of reviews", () => {
  it("show how long they take, how they end, and why, as text", async () => {
    renderApp("/insights?tab=reviews");
    const times = await region("How long reviews take");
    expect(times.getByText("Median").nextElementSibling?.textContent).toBe("14 minutes");
    expect(times.getByText("Waiting now").nextElementSibling?.textContent).toBe("7");
    const reasons = await region("Why templates were rejected");
    expect(reasons.getByText("SOMETHING_NEW")).toBeTruthy();
    expect(reasons.getByText("WhatsApp gave no reason")).toBeTruthy();
    expect((await rowOf(/^Authentication/)).textContent).toContain("4 of 4");
    expect(screen.getByText(/^Covers Oct 22 . Nov 20, 2026: 131 decisions\.$/)).toBeTruthy();
  });

  it("have the bars as a table", async () => {
    const { user } = renderApp("/insights?tab=reviews");
    const times = await region("How long reviews take");
    await user.click(times.getByText("Show as a table"));
    expect((await rowOf(/^≤ 10 minutes/)).textContent).toContain("41");
    expect(await rowOf(/^> 24 hours/)).toBeTruthy();
  });
});

describe("figures of prices", () => {
  it("are by category and model, with their sum", async () => {
    renderApp("/insights?tab=pricing");
    expect((await rowOf(/^Utility/)).textContent).toBe("UtilityPer message (PMP)3012050");
    expect((await rowOf(/^Total/)).textContent).toBe("Total1,49129314");
    expect(
      screen.getByText("The category of some templates is unknown, for example if they were deleted."),
    ).toBeTruthy();
  });
});

describe("figures of several numbers", () => {
  const choose = async (user: ReturnType<typeof renderApp>["user"], option: string) => {
    await user.click(await screen.findByRole("combobox", { name: "Sending number" }));
    await user.click(await screen.findByRole("option", { name: option }));
  };

  it("are narrowed to a number or an account by name, also in the file", async () => {
    const host = createFakeHost({ templates: 40 });
    const workspace = await host.call("get_workspace", { workspace: "sandbox" });
    const [first] = workspace.settings.numbers as [SendingNumber];
    const numbers = [first, { ...first, id: "108002", label: "Support", wabaId: "102290129340411" }];
    const wabaNames = { "102290129340411": "Retail" };
    host.answer("get_workspace", () => ({ ...workspace, settings: { ...workspace.settings, numbers, wabaNames } }));
    const { user } = renderApp("/insights?tab=messages", host);
    await choose(user, "Main number");
    await waitFor(() => expect(asked(host, "get_funnel")).toMatchObject({ number: "108001", waba: null }));
    await choose(user, "Retail: all numbers");
    await waitFor(() => expect(asked(host, "get_funnel")).toMatchObject({ number: null, waba: "102290129340411" }));
    await user.click(screen.getByRole("button", { name: "Export as CSV" }));
    await waitFor(() => expect(asked(host, "export_insights")).toMatchObject({ funnel: { waba: "102290129340411" } }));
    await user.click(await screen.findByRole("tab", { name: "Pricing" }));
    await waitFor(() => expect(asked(host, "get_pricing")).toMatchObject({ waba: "102290129340411" }));
    await user.click(screen.getByRole("button", { name: "Export as CSV" }));
    await waitFor(() => expect(asked(host, "export_insights")).toMatchObject({ pricing: { waba: "102290129340411" } }));
  });

  it("of reviews are narrowed to an account, also in the file", async () => {
    const host = createFakeHost({ templates: 40 });
    const workspace = await host.call("get_workspace", { workspace: "sandbox" });
    const wabaIds = ["102290129340398", "102290129340411"];
    const wabaNames = { "102290129340411": "Retail" };
    const settings = { ...workspace.settings, wabaIds, wabaNames };
    host.answer("get_workspace", () => ({ ...workspace, settings }));
    const { user } = renderApp("/insights?tab=reviews", host);
    await user.click(await screen.findByRole("combobox", { name: "Account" }));
    await user.click(await screen.findByRole("option", { name: "Retail (102290129340411)" }));
    await waitFor(() => expect(asked(host, "get_review_times")).toMatchObject({ waba: "102290129340411" }));
    await user.click(screen.getByRole("button", { name: "Export as CSV" }));
    await waitFor(() => expect(asked(host, "export_insights")).toMatchObject({ reviews: { waba: "102290129340411" } }));
  });

  it.each([3, 0])(
    "say how many the filter leaves out beside %i, as their number or account is unknown",
    async (sends) => {
      const host = createFakeHost({ templates: 40 });
      const answer = await host.call("get_funnel", { workspace: "sandbox", by: "template", limit: 1 });
      host.answer("get_funnel", () => ({ ...answer, covers: { ...answer.covers, sends, unknownSender: 1204 } }));
      renderApp("/insights?tab=messages&number=900", host);
      expect(await screen.findByText(/1,204 messages count only under “Any number”/)).toBeTruthy();
      const filter = screen.getByRole<HTMLInputElement>("combobox", { name: "Sending number" });
      expect(filter.value).toBe("900");
    },
  );

  it("cannot be chosen where the workspace has one number", async () => {
    renderApp("/insights?tab=messages");
    await rowOf(/summer_sale_2026/);
    expect(screen.queryByRole("combobox", { name: "Sending number" })).toBeNull();
  });
});

describe("the panel of a tab", () => {
  it("is reached by the tab key and named after its tab, so that it can be scrolled", async () => {
    const { user } = renderApp("/insights?tab=reviews");
    const panel = await screen.findByRole("tabpanel", { name: "Reviews" });
    screen.getByRole("tab", { name: "Reviews" }).focus();
    await user.tab();
    expect(document.activeElement).toBe(panel);
  });
});
