import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { KeyringProblem, KeyringState, SecretPlace } from "@/bindings/app";

const ACME = "/settings?section=workspace&workspace=acme";

/** A host with a keyring in the given state until it is unlocked. */
async function hostWith(keyring: KeyringState): Promise<FakeHost> {
  const host = createFakeHost({ templates: 40 });
  const bootstrap = await host.call("get_bootstrap", {});
  let now = keyring;
  host.answer("get_bootstrap", () => ({ ...bootstrap, keyring: now }));
  host.answer("refresh_secrets", ({ unlock }) => {
    if (unlock) now = { state: "available" };
    host.emit({ type: "keyringChanged", state: now });
    return now;
  });
  return host;
}

const keyring = async () => within(await screen.findByRole("region", { name: "System keyring" }));

describe("the keyring", () => {
  it("is unlocked from here, and says so once it is", async () => {
    const host = await hostWith({ state: "locked" });
    const { user } = renderApp("/settings?section=secrets", host);
    const card = await keyring();
    expect(card.getByText("The keyring is locked")).toBeTruthy();
    await user.click(card.getByRole("button", { name: "Unlock…" }));
    expect(await card.findByText("The keyring is unlocked")).toBeTruthy();
    expect(host.calls.find(({ name }) => name === "refresh_secrets")?.request).toEqual({ unlock: true });
  });

  it.each<[KeyringState, string]>([
    [{ state: "missing", reason: "no Secret Service" }, "No keyring is available"],
    [{ state: "unavailable", reason: "the collection refused" }, "The keyring denied access"],
  ])("says why it cannot be used and is tried again: %j", async (state, what) => {
    const host = await hostWith(state);
    const { user } = renderApp("/settings?section=secrets", host);
    const card = await keyring();
    expect(card.getByText(what)).toBeTruthy();
    expect(card.getByText(/no Secret Service|the collection refused/)).toBeTruthy();
    expect(card.queryByRole("button", { name: "Unlock…" })).toBeNull();
    await user.click(card.getByRole("button", { name: "Try again" }));
    await waitFor(() =>
      expect(host.calls.find(({ name }) => name === "refresh_secrets")?.request).toEqual({ unlock: false }),
    );
  });

  it("says that it did not answer, which is no refusal", async () => {
    renderApp("/settings?section=secrets", await hostWith({ state: "timedOut", seconds: 10 }));
    expect((await keyring()).getByText("The keyring did not answer within 10 s")).toBeTruthy();
  });

  it.each<[SecretPlace, RegExp]>([
    ["keyring", /^In the keyring$/],
    ["session", /for this session only/],
    ["locked", /the keyring is locked/],
    ["unreadable", /can't be read \(it timed out\)/],
    ["stale", /An older secret is in the keyring/],
    ["absent", /^Not stored$/],
  ])("is said of a secret that is %s", async (place, words) => {
    const host = createFakeHost({ templates: 40 });
    const stored = await host.call("get_workspace", { workspace: "acme" });
    const reason = place === "unreadable" ? "it timed out" : null;
    host.answer("get_workspace", ({ workspace }) =>
      workspace === "acme"
        ? { ...stored, secrets: [{ kind: "webhookSecret", place, reason }] }
        : { ...stored, id: "sandbox", sandbox: true },
    );
    renderApp("/settings?section=secrets", host);
    const places = within(await screen.findByRole("region", { name: "Acme Retail" }));
    expect(places.getByText("Webhook secret")).toBeTruthy();
    expect(places.getByText(words)).toBeTruthy();
  });
});

describe("a secret the keyring does not keep", () => {
  it.each<[KeyringProblem, RegExp]>([
    ["missing", /No keyring is available\./],
    ["locked", /The keyring is locked\. Unlock it/],
    ["denied", /denied access/],
    ["full", /is full/],
    ["tooLong", /too long for this keyring/],
    ["timedOut", /did not answer/],
    ["failed", /The keyring failed/],
  ])("says at its field why, and what to do: %s", async (problem, words) => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_workspace", () =>
      refusal({
        code: "keyringUnavailable",
        reason: "it said no",
        problem,
        field: "webhookSecret",
        stale: problem === "full",
      }),
    );
    const { user } = renderApp(ACME, host);
    const field = await screen.findByLabelText<HTMLInputElement>(/^Webhook secret/);
    await user.type(field, "s3cret");
    await user.click(screen.getByRole("button", { name: "Save workspace" }));
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    expect(await screen.findByText(words)).toBeTruthy();
    expect(field.value).toBe("s3cret");
    expect(screen.queryByText(/couldn't remove an older secret/) !== null).toBe(problem === "full");
    expect(screen.getByRole("button", { name: "Keep for this session and save" })).toBeTruthy();
  });
});
