import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { publicUrl } from "@/lib/public-url";

const NEW = "/settings?section=workspace&workspace=new";
const UUID = "123e4567-e89b-12d3-a456-426614174000";
const GOOD = {
  steps: ["address", "reach", "credentials", "listing"].map((name) => ({ name, ok: true, more: false })),
  warnings: [],
};

const field = (name: RegExp) => screen.findByRole<HTMLInputElement>("textbox", { name });
const button = (name: string) => screen.findByRole("button", { name });

describe("connecting a provider", () => {
  it("leads from the address to a workspace in use, a tested step at a time", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("test_connection", () => GOOD);
    const { user } = renderApp(NEW, host);
    await user.type(await field(/^Name$/), "Shop");
    await user.type(await field(/^Base URL/), "https://api.example");
    expect(screen.getByText(/in your provider's API documentation/)).toBeTruthy();
    await user.click(await button("Copy questions for your developer"));
    expect(await navigator.clipboard.readText()).toContain("1. The base URL of the provider's API");
    await user.click(await button("Continue"));

    await user.type(await field(/^Workspace UUID/), UUID);
    await user.type(screen.getByLabelText(/^Access token/), "top-secret");
    await user.click(await button("Test and continue"));

    await user.type(await field(/ID of number 1/), "106540352242922");
    await user.click(await button("Save and continue"));

    await user.type(await field(/^Your public address/), "hooks.example.com/");
    expect(screen.getByText(/^https:\/\/hooks\.example\.com\/webhook\/workspace-/)).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "On a server" }));
    await waitFor(() =>
      expect(host.calls.findLast(({ name }) => name === "save_preferences")?.request).toMatchObject({
        publicAddress: "hooks.example.com/",
      }),
    );
    expect(screen.getByRole("group", { name: "On a server" }).textContent).toContain("tdesk receive");
    await user.type(screen.getByLabelText(/^Webhook secret/), "signed");
    await user.click(await button("Finish"));

    await user.click(await button("Work in “Shop”"));
    await waitFor(() => expect(window.location.hash).toBe("#/templates"));
    const saved = host.calls.filter(({ name }) => name === "save_workspace").map(({ request }) => request);
    expect(saved).toMatchObject([
      {
        workspace: null,
        settings: { baseUrl: "https://api.example", workspaceUuid: UUID },
        secrets: [{ kind: "token" }],
      },
      { workspace: expect.stringMatching(/^workspace-/), secrets: [{ kind: "webhookSecret", value: "signed" }] },
    ]);
    expect(host.calls.findLast(({ name }) => name === "save_preferences")?.request).toMatchObject({
      workspace: expect.stringMatching(/^workspace-/),
    });
  });

  it("says once that the provider lists nothing of an account, which may be mistyped", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("test_connection", ({ settings: { wabaIds } }) => {
      const field = "wabaIds/0";
      const values = { waba: wabaIds[0] ?? "" };
      const isWrong = wabaIds.includes("1022901293403981");
      return { ...GOOD, warnings: isWrong ? [{ field, code: "wabaWithoutTemplates", values }] : [] };
    });
    const { user } = renderApp(NEW, host);
    await user.click(await button("Continue"));
    await user.click(await button("Test and continue"));
    await user.type(await field(/ID of number 1/), "106540352242922");
    await user.type(await field(/^WABA ID 1/), "1022901293403981");
    await user.click(await button("Save and continue"));
    const said = /lists no template of the WABA 1022901293403981\. .* check its ID/;
    expect(await screen.findByText(said)).toBeTruthy();
    expect(host.calls.some(({ name }) => name === "save_workspace")).toBe(false);
    // What is corrected is tested again; the same account is not asked about twice.
    await user.click(await button("Save and continue"));
    expect(await field(/^Your public address/)).toBeTruthy();
    expect(host.calls.filter(({ name }) => name === "test_connection")).toHaveLength(2);
  });

  it("stays at a step with a problem, marks all its fields and does not test before", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("check_workspace", ({ settings }) => [
      ...(settings.name === "" ? [{ field: "name", code: "nameMissing" as const, values: {} }] : []),
      ...(settings.baseUrl === "" ? [{ field: "baseUrl", code: "baseUrlMissing" as const, values: {} }] : []),
      { field: "workspaceUuid", code: "uuidMissing", values: {} },
    ]);
    const { user } = renderApp(NEW, host);
    await user.click(await button("Continue"));
    expect(await screen.findByText("Enter a name.")).toBeTruthy();
    expect(screen.getByText(/Enter the base URL/)).toBeTruthy();
    await user.type(await field(/^Name$/), "Shop");
    await user.type(await field(/^Base URL/), "https://api.example");
    await user.click(await button("Continue"));
    await user.click(await button("Test and continue"));
    expect(await screen.findByText(/Enter the workspace UUID/)).toBeTruthy();
    expect(host.calls.some(({ name }) => name === "test_connection")).toBe(false);
  });

  it("shows what a test found in words of its own, and goes on only where the person chooses so", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("test_connection", () => ({
      warnings: [],
      steps: [
        { name: "address", ok: true, more: false },
        { name: "reach", ok: false, more: false, error: { code: "offline", reason: "nothing listens there" } },
      ],
    }));
    const { user } = renderApp(NEW, host);
    await user.click(await button("Continue"));
    await user.click(await button("Test and continue"));
    const report = within(await screen.findByRole("region", { name: "Result of the connection test" }));
    expect(report.getByText("The provider does not respond at this URL")).toBeTruthy();
    expect(report.getByText(/Check the base URL and its port, that the server runs/)).toBeTruthy();
    expect(report.queryByText(/internet connection/)).toBeNull();
    await user.click(await button("Continue anyway"));
    expect(await field(/ID of number 1/)).toBeTruthy();
  });

  it("names the field of an invalid value as the form does", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("test_connection", () => ({
      warnings: [],
      steps: [
        {
          name: "address",
          ok: false,
          more: false,
          error: { code: "invalidInput", field: "token", message: "The token contains spaces." },
        },
      ],
    }));
    const { user } = renderApp(NEW, host);
    await user.click(await button("Continue"));
    await user.click(await button("Test and continue"));
    const report = within(await screen.findByRole("region", { name: "Result of the connection test" }));
    expect(report.getByText("Some settings are missing or invalid")).toBeTruthy();
    expect(report.queryByText("The settings are complete")).toBeNull();
    expect(report.getByText("Access token:")).toBeTruthy();
    expect(report.queryByText("token")).toBeNull();
  });

  it("keeps what was typed between the steps and the one page", async () => {
    const { user } = renderApp(NEW);
    await user.type(await field(/^Name$/), "Shop");
    await user.click(await button("All fields on one page"));
    expect((await field(/^Name$/)).value).toBe("Shop");
    await user.click(await button("Step by step"));
    expect((await field(/^Name$/)).value).toBe("Shop");
  });
});

it.each([
  ["https://hooks.example.com", "https://hooks.example.com/webhook/a"],
  [" hooks.example.com/ ", "https://hooks.example.com/webhook/a"],
  ["", undefined],
  ["not an address", undefined],
])("makes the webhook URL of the public address %j", (address, url) => {
  expect(publicUrl(address, "/webhook/a")).toBe(url);
});
