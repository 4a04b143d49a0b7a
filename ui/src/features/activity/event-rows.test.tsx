import { createFakeHost, type FakeHost, nameWabas } from "@test/fake-host";
import { EVENTS } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { EventRow } from "@/bindings/app";

const RETAIL = "102290129340398";
const [first] = EVENTS;
if (!first) throw new Error("There are events");
const plain: EventRow = {
  ...first,
  status: null,
  number: null,
  contact: null,
  message: null,
  contactName: null,
  template: null,
  ofTemplate: null,
  deliveries: 1,
};
const ofAccount: EventRow = { ...plain, kind: "account_update", field: "account_update", subject: RETAIL };
const ofTemplate: EventRow = {
  ...plain,
  subject: "same_name (pt_BR)",
  template: "same_name",
  ofTemplate: { name: "same_name", language: "pt_BR", reference: null },
};

async function hostWith(...rows: EventRow[]): Promise<FakeHost> {
  const host = createFakeHost({ templates: 40 });
  await nameWabas(host, { [RETAIL]: "Retail", "102290129340411": "Wholesale" });
  const detail = await host.call("get_event", { event: "event-1" });
  const [row = plain] = rows;
  host.answer("list_events", () => ({ rows, behind: 0 }));
  host.answer("get_event", () => ({ ...detail, row }));
  return host;
}

describe("a window without room for columns", () => {
  const { matchMedia } = window;
  const narrow = (isNarrow: boolean) =>
    vi.spyOn(window, "matchMedia").mockImplementation((query) => ({
      ...matchMedia(query),
      matches: (isNarrow && /^\(max-width: /.test(query)) || query.includes("reduce"),
    }));
  const status: EventRow = { ...plain, kind: "status", status: "delivered", summary: "delivered", contactName: "Ana" };

  it("has what happened below who it is about", async () => {
    narrow(true);
    const { unmount } = renderApp("/activity", await hostWith(status));
    const row = within(await screen.findByRole("row", { name: /Ana/ }));
    expect(row.getByText("Delivered").closest("[data-stacked]")).not.toBeNull();
    expect(screen.queryByText("What happened")).toBeNull();
    unmount();
    narrow(false);
    renderApp("/activity", await hostWith(status));
    expect(await screen.findByText("What happened")).toBeTruthy();
    expect((await screen.findByText("Delivered")).closest("[data-stacked]")).toBeNull();
  });
});

describe("a row of Activity", () => {
  it("cuts the beginning of a number, and the end of a name", async () => {
    const number = { ...plain, id: "e1", contact: "447700900123", subject: "447700900123" };
    const name = { ...plain, id: "e2", contact: "5511990001111", subject: "5511990001111", contactName: "Ana" };
    renderApp("/activity", await hostWith(number, name));
    expect((await screen.findByText("447700900123")).closest("[data-number]")).not.toBeNull();
    expect(screen.getByText("Ana").closest("[data-number]")).toBeNull();
  });

  it.each([
    ["account_alert", "account_alerts", "Account alert: Retail, WhatsApp sent an alert about this account."],
    ["account_update", "account_update", "Account update: Retail, WhatsApp reported a change of this account."],
    [
      "account_review",
      "account_review_update",
      "Account review: Retail, WhatsApp reported on the review of this account.",
    ],
    [
      "business_capability",
      "business_capability_update",
      "Business capability: Retail, WhatsApp reported the limits of this business.",
    ],
    [
      "phone_number_quality",
      "phone_number_quality_update",
      "Number quality: Retail, WhatsApp reported a change of a number's limit or quality.",
    ],
    [
      "phone_number_name",
      "phone_number_name_update",
      "Number name: Retail, WhatsApp reported on the review of a display name.",
    ],
    ["security", "security", "Security: Retail, Someone changed the PIN of a number or asked to reset it."],
    [
      "payment_configuration",
      "payment_configuration_update",
      "Payment configuration: Retail, WhatsApp reported a change of a payment configuration.",
    ],
  ])("says in words what an event of the kind %s is, and names its account", async (kind, field, name) => {
    renderApp("/activity", await hostWith({ ...ofAccount, kind, field, summary: field }));
    const row = await screen.findByRole("row", { name });
    expect((await within(row).findByText("Retail")).title).toBe(RETAIL);
    expect(row.textContent).not.toContain(field);
  });

  it("says what an event means, and which account a template event is about", async () => {
    const banned: EventRow = { ...ofAccount, id: "e1", summary: "account_update", meaning: "accountDisableScheduled" };
    const rejected = { ...ofTemplate, id: "e2", kind: "template_status", summary: "REJECTED", account: RETAIL };
    renderApp("/activity", await hostWith(banned, rejected));
    expect(
      await screen.findByRole("row", { name: /^Account update: Retail, WhatsApp will disable this business account/ }),
    ).toBeTruthy();
    expect(screen.getByRole("row", { name: "Template status: same_name (pt_BR), Retail, Rejected" })).toBeTruthy();
  });

  it("shows the ID of an account without a name, and the field of an event of an unknown type", async () => {
    const unknown = { ...plain, id: "e2", kind: "unknown", field: "flows", subject: "999", summary: "flows" };
    renderApp("/activity", await hostWith(unknown));
    expect(await screen.findByRole("row", { name: "Unknown type: 999, flows" })).toBeTruthy();
  });

  it("names the number that it is about", async () => {
    const host = await hostWith({ ...plain, kind: "errors", subject: "108001", number: "108001", summary: "busy" });
    renderApp("/activity", host);
    expect(await screen.findByRole("row", { name: "Errors: Main number, busy" })).toBeTruthy();
  });

  it("shows categories and quality ratings in the words of the window", async () => {
    const category = { ...ofTemplate, id: "e1", kind: "template_category", summary: "UTILITY → MARKETING" };
    const announced = { ...category, id: "e3", summary: "UTILITY → MARKETING · announced" };
    const quality = { ...ofTemplate, id: "e2", kind: "template_quality", status: "RED", summary: "RED" };
    renderApp("/activity", await hostWith(category, announced, quality));
    const name = "Template category: same_name (pt_BR), Utility → Marketing";
    expect(await screen.findByRole("row", { name })).toBeTruthy();
    const coming = "Template category: same_name (pt_BR), announced: Utility → Marketing";
    expect(screen.getByRole("row", { name: coming })).toBeTruthy();
    expect(screen.getByRole("row", { name: "Template quality: same_name (pt_BR), Low" })).toBeTruthy();
  });
});

describe("the panel of an event", () => {
  it("names the account with its ID", async () => {
    renderApp("/activity?event=event-1", await hostWith({ ...ofAccount, summary: "account_update" }));
    const panel = within(await screen.findByRole("complementary", { name: "Event" }));
    const about = await panel.findByText("About");
    expect(await panel.findByText(`Retail (${RETAIL})`)).toBe(about.nextElementSibling);
  });

  it("shows a quality rating in the words of the window, also where events are narrowed to it", async () => {
    const quality = { ...ofTemplate, kind: "template_quality", status: "RED", summary: "RED" };
    const { user } = renderApp("/activity?event=event-1", await hostWith(quality));
    await user.click(await screen.findByRole("button", { name: "Show only events with Status Low" }));
    expect(await screen.findByRole("button", { name: "Remove the filter: Status Low" })).toBeTruthy();
  });
});
