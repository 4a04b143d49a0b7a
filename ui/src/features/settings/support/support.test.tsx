import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { RefusedDetail } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";
import { curlOf } from "./curl";

const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);
const lastAsked = (host: FakeHost, name: CommandName) => asked(host, name).at(-1)?.request;

const ROW: RefusedDetail["row"] = {
  id: "r1",
  at: 1_700_000_000_000,
  workspace: "acme",
  path: "/webhook/r1",
  status: 401,
  reason: "mismatch",
  size: 12,
  excerpt: "",
  diagnosis: { kind: "plain" },
};

const refused = (part: Partial<RefusedDetail> = {}): RefusedDetail => ({
  row: ROW,
  method: "POST",
  host: "hooks.acme.example",
  peer: "127.0.0.1:50412",
  headers: [
    ["content-type", "application/json"],
    ["x-hub-signature-256", "sha256=ab"],
    ["authorization", "(hidden)"],
  ],
  body: '{"it\'s":1}\n\n',
  bodyBase64: btoa('{"it\'s":1}\n\n'),
  kept: 12,
  ...part,
});

const card = async (name: string) => within(await screen.findByRole("region", { name }));

describe("a delivery", () => {
  it("is opened by its number, with text, bytes and headers", async () => {
    const { user } = renderApp("/settings?section=support");
    const one = await card("One delivery");
    await user.type(one.getByRole("textbox", { name: "Delivery number" }), "1199");
    await user.click(one.getByRole("button", { name: "Open" }));
    const delivery = await card("Delivery 1199");
    await user.click(await delivery.findByRole("radio", { name: "Bytes" }));
    expect(await delivery.findByText(/^00000000 7b 22/)).toBeTruthy();
    expect(delivery.getByText("x-hub-signature-256")).toBeTruthy();
    expect(delivery.getByText("SHA-256")).toBeTruthy();
    expect(window.location.hash).toContain("1199");
  });

  it.each(["0", "-1", "1.9", "1e3", "9007199254740993", "99999999999999999999"])(
    "is not opened by %s, which is no delivery number",
    async (typed) => {
      const { host, user } = renderApp("/settings?section=support");
      const one = await card("One delivery");
      const field = one.getByRole<HTMLInputElement>("textbox", { name: "Delivery number" });
      await user.type(field, typed);
      await user.click(one.getByRole("button", { name: "Open" }));
      expect(one.getByText("Enter a whole number from 1 to 9,007,199,254,740,991.")).toBeTruthy();
      expect(field.value).toBe(typed);
      expect(asked(host, "get_delivery")).toHaveLength(0);
    },
  );

  it("is reached from each arrival of an event, with its own signature, and leads back", async () => {
    const { user } = renderApp("/activity?event=event-1");
    await user.click(await screen.findByRole("link", { name: "Delivery 101200" }));
    const delivery = await card("Delivery 101200");
    expect(await delivery.findByText("Valid with the previous secret")).toBeTruthy();
    await user.click((await delivery.findAllByRole("link"))[0] as HTMLElement);
    expect(await screen.findByRole("complementary", { name: "Event" })).toBeTruthy();
  });

  it("says when it is not there", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_delivery", () => refusal({ code: "notFound", what: "Delivery 9" }));
    renderApp("/settings?section=support&delivery=9", host);
    expect(await screen.findByText(/There is no delivery with this number/)).toBeTruthy();
  });

  it("that was rejected is shown byte for byte, and leads to its diagnosis", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("get_refused_delivery", () => refused());
    renderApp("/settings?section=support&refused=r1", host);
    const rejected = await card("Rejected delivery");
    expect(await rejected.findByText("127.0.0.1:50412")).toBeTruthy();
    expect(rejected.getByRole("region", { name: "Original body" }).textContent).toContain("it's");
    expect(rejected.getByRole("link", { name: "Show the diagnosis" }).getAttribute("href")).toContain("refused=r1");
  });
});

describe("checking signatures again", () => {
  it("counts what each says, and opens those that do not fit", async () => {
    const { host, user } = renderApp("/settings?section=support");
    const form = await card("Check signatures again");
    await user.type(form.getByRole("textbox", { name: "From delivery" }), "100");
    await user.click(form.getByRole("button", { name: "Check" }));
    expect(await form.findByText("2 deliveries have an invalid signature.")).toBeTruthy();
    expect(lastAsked(host, "verify_signatures")).toEqual({ workspace: "sandbox", from: 100, to: null });
    await user.click(form.getByRole("button", { name: "Open delivery 1199" }));
    expect(await (await card("Delivery 1199")).findByRole("region", { name: "Raw" })).toBeTruthy();
    expect(window.location.hash).toContain("delivery=");
  });

  it("refuses a range that ends before it begins", async () => {
    const { host, user } = renderApp("/settings?section=support");
    const form = await card("Check signatures again");
    await user.type(form.getByRole("textbox", { name: "From delivery" }), "9");
    await user.type(form.getByRole("textbox", { name: "To delivery" }), "3");
    await user.click(form.getByRole("button", { name: "Check" }));
    expect(form.getByText("This is before the first delivery.")).toBeTruthy();
    expect(asked(host, "verify_signatures")).toHaveLength(0);
  });
});

describe("reprocessing", () => {
  it("of one delivery says what came of it", async () => {
    const { host, user } = renderApp("/settings?section=support&delivery=1199");
    await user.click(await screen.findByRole("button", { name: "Process again" }));
    expect(await screen.findByText(/One delivery reprocessed\. .* No differences found\./)).toBeTruthy();
    expect(lastAsked(host, "replay_events")).toEqual({ scope: { kind: "one", seq: 1199 } });
  });

  it("of a range shows what was corrected", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("replay_events", () => ({ deliveries: 200, items: 210, changed: 1 }));
    const { user } = renderApp("/settings?section=support", host);
    const form = await card("Reprocess stored events");
    await user.type(form.getByRole("textbox", { name: "From delivery" }), "1001");
    await user.type(form.getByRole("textbox", { name: "To delivery" }), "1200");
    await user.click(form.getByRole("button", { name: "Reprocess" }));
    expect(await form.findByText(/200 deliveries reprocessed\. .* One difference corrected\./)).toBeTruthy();
    expect(lastAsked(host, "replay_events")).toEqual({ scope: { kind: "range", from: 1001, to: 1200 } });
  });

  it("of a range that is none sends nothing and shows no earlier result", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("replay_events", () => ({ deliveries: 200, items: 210, changed: 1 }));
    const { user } = renderApp("/settings?section=support", host);
    const form = await card("Reprocess stored events");
    await user.click(form.getByRole("button", { name: "Reprocess" }));
    expect(await form.findByText(/200 deliveries reprocessed/)).toBeTruthy();
    await user.type(form.getByRole("textbox", { name: "From delivery" }), "99999999999999999999");
    await user.click(form.getByRole("button", { name: "Reprocess" }));
    expect(form.getByText(/Enter a whole number from 1/)).toBeTruthy();
    expect(form.queryByText(/200 deliveries reprocessed/)).toBeNull();
    expect(asked(host, "replay_events")).toHaveLength(1);
  });

  it("of all asks before, shows how far it is until it is done, and says so", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("rebuild_projection", () => {
      host.emit({ type: "projectionProgress", done: 0, total: 10_000_000, rebuilding: true });
      return { done: 0, total: 10_000_000, rebuilding: true, behind: 10_000_000 };
    });
    host.answer("get_projection", () => ({ done: 10, total: 10_000_000, rebuilding: true, behind: 9_999_990 }));
    const { user } = renderApp("/settings?section=support", host);
    const form = await card("Reprocess stored events");
    await user.click(form.getByRole("radio", { name: /All deliveries/ }));
    await user.click(form.getByRole("button", { name: "Rebuild" }));
    const question = within(await screen.findByRole("dialog", { name: "Rebuild all processed data?" }));
    expect(question.getByText(/^Deletes the processed data/)).toBeTruthy();
    expect(asked(host, "rebuild_projection")).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Rebuild" }));
    expect(await form.findByText("The rebuild has started.")).toBeTruthy();
    const bar = await screen.findByRole("region", { name: /Rebuilding your data/ });
    host.emit({ type: "projectionProgress", done: 4_203_518, total: 10_000_000, rebuilding: true });
    expect(await within(bar).findByText("4,203,518 of 10,000,000 deliveries")).toBeTruthy();
    expect(within(bar).getByRole("progressbar").getAttribute("aria-valuenow")).toBe("42");
    host.emit({ type: "projectionProgress", done: 10_000_000, total: 10_000_000, rebuilding: false });
    await waitFor(() => expect(screen.queryByRole("region", { name: /Rebuilding your data/ })).toBeNull());
    expect(form.getByText("Rebuild done.")).toBeTruthy();
  });
});

describe("forwarding", () => {
  it("goes on until it is stopped, and shows how it goes", async () => {
    const { host, user } = renderApp("/settings?section=support");
    const form = await card("Forward to a local program");
    await user.type(form.getByRole("textbox", { name: /^Address/ }), "http://localhost:3000/hook");
    await user.click(form.getByRole("button", { name: "Start forwarding" }));
    expect(await form.findByText("http://localhost:3000/hook")).toBeTruthy();
    expect(lastAsked(host, "set_forwarding")).toEqual({ url: "http://localhost:3000/hook", workspace: "sandbox" });
    await user.click(form.getByRole("button", { name: "Stop forwarding" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Stop forwarding" })).toBeNull());
    expect(lastAsked(host, "set_forwarding")).toEqual({ url: null });
  });

  it("refuses another computer at the field of the address", async () => {
    const { user } = renderApp("/settings?section=support");
    const form = await card("Forward to a local program");
    const address = form.getByRole<HTMLInputElement>("textbox", { name: /^Address/ });
    await user.clear(address);
    await user.type(address, "https://example.com/hook");
    await user.click(form.getByRole("button", { name: "Start forwarding" }));
    expect(await form.findByText("Only addresses of this computer are allowed.")).toBeTruthy();
    expect(address.getAttribute("aria-invalid")).toBe("true");
  });

  it("of one stored delivery reports whether it was accepted", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("forward_stored", () => ({ sent: 0, failed: 1, lastError: "connection refused" }));
    const { user } = renderApp("/settings?section=support&delivery=1199", host);
    await user.click(await screen.findByRole("button", { name: "Forward…" }));
    const form = within(await screen.findByRole("dialog", { name: "Forward delivery 1199" }));
    const address = form.getByRole("textbox", { name: /^Address/ });
    await user.clear(address);
    await user.type(address, "http://127.0.0.1:9/");
    await user.click(form.getByRole("button", { name: "Forward" }));
    expect(await form.findByText("Last failure: connection refused")).toBeTruthy();
    expect(lastAsked(host, "forward_stored")).toEqual({
      url: "http://127.0.0.1:9/",
      scope: { kind: "one", seq: 1199 },
    });
  });
});

describe("a refused delivery as a command", () => {
  it("quotes the body for a shell, keeps the signature and leaves credentials out", () => {
    const command = curlOf(refused(), "127.0.0.1:8787") ?? "";
    expect(command).toContain(`--data-binary '{"it'\\''s":1}\n\n'`);
    expect(command).toContain("-H 'x-hub-signature-256: sha256=ab'");
    expect(command).not.toContain("authorization");
    expect(command).toContain("'http://127.0.0.1:8787/webhook/r1'");
  });

  it("leaves parameters of the address out: they may be a token", () => {
    const row = { ...ROW, path: "/webhook/acme?hub.verify_token=T0KEN" };
    expect(curlOf(refused({ row }), "127.0.0.1:8787")).not.toContain("T0KEN");
  });

  it.each<[string, Partial<RefusedDetail>]>([
    ["a handshake", { method: "GET" }],
    ["a body that was cut", { kept: 5 }],
    ["a body that is no text", { body: "a\uFFFDb" }],
  ])("is not offered for %s", (_, part) => {
    expect(curlOf(refused(part), "127.0.0.1:8787")).toBeUndefined();
  });
});

it("forwards nothing for a delivery number that is none", async () => {
  const { host, user } = renderApp("/settings?section=support");
  const form = await card("Forward to a local program");
  await user.type(form.getByRole("textbox", { name: /^Address/ }), "http://localhost:3000/");
  await user.click(form.getByRole("radio", { name: "Stored deliveries" }));
  await user.type(form.getByRole("textbox", { name: "From delivery" }), "9007199254740993");
  await user.click(form.getByRole("button", { name: "Forward" }));
  expect(form.getByText(/Enter a whole number from 1/)).toBeTruthy();
  expect(asked(host, "forward_stored")).toHaveLength(0);
});
