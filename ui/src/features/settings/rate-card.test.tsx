import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const PRICES = "/settings?section=prices";

describe("the rate card in the settings", () => {
  it("is imported, described and removed", async () => {
    const { host, user } = renderApp(PRICES);
    expect(await screen.findByText(/^No rate card yet/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Import CSV" }));
    expect(await screen.findByText("180 prices of “rates.csv” were imported")).toBeTruthy();
    expect(await screen.findByText("180 prices for 41 markets")).toBeTruthy();
    expect(screen.getByText("Jul 1, 2026 · Oct 1, 2026")).toBeTruthy();
    expect(screen.getByText(/Rest of the Moon$/)).toBeTruthy();
    await user.click(screen.getByText("Look up prices"));
    expect(screen.getByRole("row", { name: "Other countries Marketing $0.0100 Jul 1, 2026" })).toBeTruthy();
    await user.type(screen.getByLabelText("Country, region or category"), "brazil util");
    await waitFor(() => expect(screen.queryByRole("row", { name: /^Other countries/ })).toBeNull());
    const rows = screen.getAllByRole("row").map(({ textContent }) => textContent);
    expect(rows.slice(1)).toEqual(["BrazilUtility$0.0068Oct 1, 2026 ", "BrazilUtility$0.0050Jan 1, 2027 (to come)"]);
    await user.click(screen.getByRole("button", { name: "Remove" }));
    const question = within(await screen.findByRole("dialog", { name: "Remove this rate card?" }));
    await user.click(question.getByRole("button", { name: "Remove" }));
    expect(await screen.findByText(/^No rate card yet/)).toBeTruthy();
    expect(host.calls.some(({ name }) => name === "remove_rate_card")).toBe(true);
  });

  it("names every fault of a file, and stays as it was", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("import_rate_card", () => ({
      name: "rates.csv",
      rates: 0,
      faults: [
        { line: 3, code: "priceAmbiguous", value: "1,250" },
        { line: 9, code: "category", value: "sms" },
      ],
      kept: 0,
      faulty: 3,
    }));
    const { user } = renderApp(PRICES, host);
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    const report = within(await screen.findByRole("alert"));
    expect(report.getByText("“rates.csv” was not imported")).toBeTruthy();
    expect(report.getByText(/^Line 3, “1,250”: It is unclear whether this comma/)).toBeTruthy();
    expect(report.getByText("And 1 more problem")).toBeTruthy();
    expect(screen.getByText(/^No rate card yet/)).toBeTruthy();
  });

  it("makes Insights say what was spent", async () => {
    const { user } = renderApp("/insights?tab=pricing");
    const hint = await screen.findByText(/^To see what messages cost/);
    await user.click(within(hint).getByRole("link", { name: "Settings" }));
    await user.click(await screen.findByRole("button", { name: "Import CSV" }));
    await screen.findByText("180 prices for 41 markets");
    await user.click(screen.getByRole("link", { name: "Insights" }));
    await user.click(await screen.findByRole("tab", { name: "Pricing" }));
    const spend = within(await screen.findByRole("region", { name: "Spend" }));
    expect(spend.getAllByText("At least $74.46; 14 without a price").length).toBeGreaterThan(0);
    expect(spend.getByText("The prices of 14 messages are unknown; they are not included.")).toBeTruthy();
    expect(spend.getByRole("row", { name: "Brazil Marketing 1,190 $0.0625 $74.38" })).toBeTruthy();
    expect(spend.getByRole("row", { name: "Mexico Marketing 14 Unknown" })).toBeTruthy();
    await user.click(spend.getByText("By template"));
    await waitFor(() => expect(spend.getByRole("row", { name: "Free text 307 $0.09" })).toBeTruthy());
  });
});
