import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { daysLeft } from "./token-expiry";

const ACME = "/settings?section=workspace&workspace=acme";
const section = async (name: string) => within(await screen.findByRole("region", { name }));

describe("an endpoint", () => {
  it("shows its address, how it does and why it refused last, and leads to what it refused", async () => {
    const { user } = renderApp(ACME);
    const support = await section("Number Support");
    expect(await support.findByText("http://127.0.0.1:8787/webhook/acme/108002")).toBeTruthy();
    expect(support.getByText("The last delivery was rejected.")).toBeTruthy();
    expect(support.getByText(/0 accepted and 7 rejected since the app started/)).toBeTruthy();
    expect(support.getByText(/The signature doesn't match the body/)).toBeTruthy();
    await user.click(support.getByRole("link", { name: "Open rejected deliveries" }));
    await waitFor(() => expect(window.location.hash).toBe("#/activity?view=refused"));
  });

  it("shows the public address that is entered beside it", async () => {
    const { user } = renderApp(ACME);
    const endpoints = await section("Webhook endpoints");
    await user.type(endpoints.getByLabelText(/^Your public address/), "hooks.example.com");
    await user.tab();
    const support = await section("Number Support");
    expect(await support.findByText("https://hooks.example.com/webhook/acme/108002")).toBeTruthy();
  });

  it("keeps a wrong public address as typed, with the reason", async () => {
    const host = createFakeHost({ templates: 40 });
    const message = "The address contains a user name or password. Enter it without them.";
    host.answer("save_preferences", () => refusal({ code: "invalidInput", field: "publicAddress", message }));
    const { user } = renderApp(ACME, host);
    const endpoints = await section("Webhook endpoints");
    const address = endpoints.getByLabelText<HTMLInputElement>(/^Your public address/);
    await user.type(address, "https://ana:secret@hooks.example.com");
    await user.tab();
    expect(await endpoints.findByText(message)).toBeTruthy();
    expect(address.value).toBe("https://ana:secret@hooks.example.com");
  });

  it("says which secret was used last while there are two, and when the previous one is removed", async () => {
    const host = createFakeHost({ templates: 40 });
    const [own] = await host.call("get_endpoints", { workspace: "acme" });
    const at = Date.now();
    const secretUse = { currentAt: null, previousAt: at - 60_000, previousUntil: at + 86_340_000 };
    host.answer("get_endpoints", () => (own ? [{ ...own, secretUse }] : []));
    renderApp(ACME, host);
    const shown = await section("Numbers without a separate endpoint");
    expect(
      await shown.findByText(/The new secret has not been used yet\..*The previous secret was last used:/),
    ).toBeTruthy();
    expect(shown.getByText(/If it is not used again, the previous secret is removed:/)).toBeTruthy();
  });

  it("is tried with an event of our own, and says how that went", async () => {
    const { host, user } = renderApp(ACME);
    const own = await section("Numbers without a separate endpoint");
    await user.click(await own.findByRole("button", { name: "Send test event" }));
    const said =
      /^Accepted after 14 ms and stored: the receiver on this computer works\. Only a delivery from your provider/;
    expect(await own.findByText(said)).toBeTruthy();
    const support = await section("Number Support");
    await user.click(support.getByRole("button", { name: "Send test event" }));
    expect(await support.findByText(/The receiver answered 401/)).toBeTruthy();
    expect(host.calls.filter(({ name }) => name === "send_test_event").map(({ request }) => request)).toEqual([
      { workspace: "acme", number: null },
      { workspace: "acme", number: "108002" },
    ]);
  });

  it("of a number has secrets of its own, which are set, replaced and removed, never shown", async () => {
    const { host, user } = renderApp(ACME);
    const secret = await screen.findByLabelText<HTMLInputElement>(/^Support: Webhook secret/);
    expect(secret.value).toBe("");
    expect(secret.placeholder).toContain("Stored in the keyring");
    await user.click(screen.getByRole("button", { name: "Remove the stored secret: Support: Webhook secret" }));
    await user.type(screen.getByLabelText(/^Support: Verify token/), "hello");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "save_workspace")?.request).toMatchObject({
        secrets: [
          { kind: "webhookSecret", number: "108002", value: "" },
          { kind: "verifyToken", number: "108002", value: "hello" },
        ],
      }),
    );
  });

  it("is given to a number, with the error of its secret at its field", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_workspace", () => {
      throw { code: "invalidInput", field: "numbers/0/webhookSecret", message: "This cannot work." };
    });
    const { user } = renderApp(ACME, host);
    await user.click(await screen.findByRole("switch", { name: "Separate webhook endpoint for number 1" }));
    const own = await section("Number Main number");
    expect(own.getByText("Available after you save the workspace.")).toBeTruthy();
    const secret = own.getByLabelText<HTMLInputElement>(/^Main number: Webhook secret/);
    await user.type(secret, "s3cret");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() => expect(document.activeElement).toBe(secret));
    expect(screen.getByText("This cannot work.")).toBeTruthy();
    expect(secret.value).toBe("s3cret");
  });

  it("of the sandbox is tried too", async () => {
    const { user } = renderApp("/settings?section=workspace&workspace=sandbox");
    const endpoints = await section("Webhook endpoints");
    await user.click(await endpoints.findByRole("button", { name: "Send test event" }));
    expect(await endpoints.findByText(/stored/)).toBeTruthy();
    expect(screen.queryByLabelText(/^Webhook secret/)).toBeNull();
  });

  it.each([
    ["silent", "Ready: nothing received yet."],
    ["noSecret", /No webhook secret: every delivery is rejected/],
    ["notListening", "The receiver is not running, so you receive no webhooks."],
  ] as const)("that is %s says so", async (health, words) => {
    const host = createFakeHost({ templates: 40 });
    const [own] = await host.call("get_endpoints", { workspace: "sandbox" });
    host.answer("get_endpoints", () => (own ? [{ ...own, health, url: "", lastEventAt: null }] : []));
    renderApp("/settings?section=workspace&workspace=sandbox", host);
    expect(await screen.findByText(words)).toBeTruthy();
    // What cannot be reached now is at its path.
    expect(screen.getByText("/webhook/sandbox")).toBeTruthy();
  });
});

describe("a workspace", () => {
  it("keeps names of WABAs and of the business, the WABA of a number, and the last day of the token", async () => {
    const { host, user } = renderApp(ACME);
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Name of WABA 2" })).value).toBe("Retail");
    await user.type(screen.getByRole("textbox", { name: "Name of WABA 1" }), "Wholesale");
    await user.type(screen.getByRole("textbox", { name: /^Business name/ }), " SA");
    await user.type(screen.getByLabelText(/^Token expires on/), "2126-01-31");
    expect(screen.getByText(/expires in \d+ days\.$/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "save_workspace")?.request).toMatchObject({
        settings: {
          wabaNames: { "102290129340398": "Wholesale", "102290129340411": "Retail" },
          businessName: "Acme Holding SA",
          tokenExpiresOn: "2126-01-31",
          numbers: [{ id: "108001", wabaId: "102290129340398" }, { id: "108002" }],
        },
      }),
    );
    await user.click(screen.getByRole("button", { name: "Clear date" }));
    expect(screen.queryByText(/expires in \d+ days\.$/)).toBeNull();
  });

  it.each([
    ["2026-11-20", 0],
    ["2026-11-21", 1],
    ["2026-11-19", -1],
    ["2027-11-20", 365],
    ["", undefined],
    ["2026-02-30", undefined],
  ])("counts the days until %s: %s", (day, left) => {
    expect(daysLeft(day, new Date(2026, 10, 20, 23, 59))).toBe(left);
  });
});
