import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { UpdateProblem } from "@/bindings/app";

const UPDATES = "/settings?section=updates";
const KEY = "A".repeat(43).concat("=");

describe("announcements of new versions", () => {
  it("are off until an address and a key are saved", async () => {
    const { host, user } = renderApp(UPDATES);
    await screen.findByText("Not checked. Template Desk requests nothing.");
    expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();

    await user.click(screen.getByRole("switch", { name: "Check once a day" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    const address = screen.getByRole("textbox", { name: "Address" });
    await waitFor(() => expect(address.getAttribute("aria-invalid")).toBe("true"));

    await user.type(address, "https://example.com/desk.json");
    await user.type(screen.getByRole("textbox", { name: "Public key" }), KEY);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Version 0.2.0 is available");
    const saved = host.calls.filter(({ name }) => name === "save_update_settings").at(-1);
    expect(saved?.request).toEqual({ enabled: true, address: "https://example.com/desk.json", publicKey: KEY });

    // Nothing is opened without a click.
    expect(host.calls.some(({ name }) => name === "open_link")).toBe(false);
    await user.click(screen.getByRole("button", { name: "Open download page" }));
    expect(host.calls.at(-1)).toEqual({ name: "open_link", request: { url: "https://example.com/template-desk" } });
  });

  it.each<[UpdateProblem, RegExp]>([
    [{ kind: "unreachable" }, /can't be reached/],
    [{ kind: "status", status: 302 }, /answered 302/],
    [{ kind: "incomplete" }, /ended too early/],
    [{ kind: "tooLarge", limit: 65_536 }, /larger than 6/],
    [{ kind: "malformed" }, /no announcement/],
    [{ kind: "wrongSignature" }, /not signed with this key/],
    [{ kind: "downgrade", version: "0.0.1" }, /version 0.0.1 is older/],
  ])("say why a check failed: $kind", async (problem, sentence) => {
    const host = createFakeHost({ templates: 40 });
    const settings = { enabled: true, address: "https://example.com/desk.json", publicKey: KEY };
    host.answer("get_updates", () => ({ settings, version: "0.1.0", checkedAt: 1_763_600_000_000, problem }));
    renderApp(UPDATES, host);
    await screen.findByText("The last check failed");
    expect(screen.getByText(sentence)).toBeTruthy();
  });
});
