import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Installation, UpdateProblem, UpdateState } from "@/bindings/app";

const UPDATES = "/settings?section=updates";
const KEY = "RWSGkZkG8sd1lCh5vhQTsgmTHkGwUQX4W5W8Zz2/nXUhLXh3zOYxeLhO";

const OFFERED: UpdateState = {
  settings: { enabled: true, address: "https://example.com/latest.json", publicKey: KEY },
  version: "0.1.0",
  installation: "windowsInstaller",
  available: { version: "0.2.0", notes: "Faster lists." },
  checkedAt: 1_763_600_000_000,
};

function renderState(state: Partial<UpdateState>, at = UPDATES) {
  const host = createFakeHost({ templates: 40 });
  host.answer("get_updates", () => ({ ...OFFERED, ...state }));
  return renderApp(at, host);
}

describe("new versions", () => {
  it("are not looked for until an address and a key are saved, and installed only by a click", async () => {
    const { host, user } = renderApp(UPDATES);
    await screen.findByText("Not checked. Template Desk requests nothing.");
    expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();

    await user.click(screen.getByRole("switch", { name: "Check once a day" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    const address = screen.getByRole("textbox", { name: "Address" });
    await waitFor(() => expect(address.getAttribute("aria-invalid")).toBe("true"));

    await user.type(address, "https://example.com/latest.json");
    await user.type(screen.getByRole("textbox", { name: "Public key" }), KEY);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Version 0.2.0 is available");
    screen.getByText("Faster lists.");
    const saved = host.calls.filter(({ name }) => name === "save_update_settings").at(-1);
    expect(saved?.request).toEqual({ enabled: true, address: "https://example.com/latest.json", publicKey: KEY });

    // Nothing is opened or installed without a click.
    expect(host.calls.some(({ name }) => name === "open_link" || name === "install_update")).toBe(false);
    await user.click(screen.getByRole("button", { name: "Open page of this version" }));
    expect(host.calls.at(-1)).toEqual({ name: "open_link", request: { url: "https://example.com/template-desk" } });
    await user.click(screen.getByRole("button", { name: "Install and restart" }));
    await screen.findByText(/about to close/);
    expect(screen.queryByRole("button", { name: "Install and restart" })).toBeNull();
  });

  it.each<[Installation, RegExp]>([
    ["debPackage", /sudo apt install/],
    ["rpmPackage", /sudo dnf install/],
    ["folder", /not installed by an installer/],
  ])("are not installed by a copy that does not replace itself: %s", async (installation, instruction) => {
    renderState({ installation });
    await screen.findByText("Version 0.2.0 is available");
    screen.getByText(instruction);
    expect(screen.queryByRole("button", { name: "Install and restart" })).toBeNull();
  });

  it("are announced above every screen but their own", async () => {
    const { user } = renderState({}, "/templates");
    await user.click(await screen.findByRole("link", { name: "See what is new" }));
    await screen.findByText("Faster lists.");
    expect(screen.queryByRole("link", { name: "See what is new" })).toBeNull();
  });

  it("show how far the download is", async () => {
    renderState({ step: { kind: "downloading", received: 5 << 20, total: 20 << 20 } });
    await screen.findByText("Downloading: 5 MB of 20 MB");
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
  });

  it("come from the address of the build unless another one is entered", async () => {
    renderState({ builtInAddress: "https://example.org/latest.json" });
    await screen.findByText("Leave both fields empty to use https://example.org/latest.json.");
  });

  it.each<[UpdateProblem, RegExp]>([
    [{ kind: "unreachable" }, /can't be reached/],
    [{ kind: "status", status: 404 }, /answered 404/],
    [{ kind: "addressRefused" }, /without encryption or in a private network/],
    [{ kind: "incomplete" }, /ended too early/],
    [{ kind: "tooLarge", limit: 65_536 }, /larger than 6/],
    [{ kind: "malformed" }, /not an announcement/],
    [{ kind: "wrongSignature" }, /does not match the key/],
    [{ kind: "noSignedVersion" }, /--app-version/],
    [{ kind: "downgrade", version: "0.0.1" }, /version 0.0.1 is older/],
    [{ kind: "noFile", system: "windows-x86_64" }, /no file for this system \(windows-x86_64\)/],
  ])("say why a check failed: $kind", async (problem, sentence) => {
    renderState({ problem, available: undefined });
    await screen.findByText("The last check failed");
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  it.each<[UpdateProblem, RegExp]>([
    [{ kind: "busy" }, /Something is being sent/],
    [{ kind: "diskFull" }, /disk is full/],
    [{ kind: "notWritable" }, /may not replace its own files/],
    [{ kind: "wrongFormat" }, /not a program/],
    [{ kind: "installerFailed", reason: "Access is denied" }, /refused: Access is denied/],
    [{ kind: "notInstalled", version: "0.2.0" }, /closed to install version 0.2.0/],
  ])("say why one was not installed, and offer it again: $kind", async (problem, sentence) => {
    renderState({ step: { kind: "failed", problem } });
    await screen.findByText("The new version was not installed");
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Install and restart" })).toBeTruthy();
  });
});
