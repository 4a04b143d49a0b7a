import { createFakeHost, refusal } from "@test/fake-host";
import { SENDS } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const REFERENCE = "5f3b8f0e-0000-4000-8000-000000000000";

describe("sends", () => {
  it("show their state and follow events", async () => {
    const host = createFakeHost({ templates: 40 });
    let state = "sent";
    host.answer("list_sends", () => ({ rows: [{ ...(SENDS[2] as (typeof SENDS)[number]), state }] }));
    renderApp("/sends", host);
    expect(await screen.findByRole("row", { name: /447700900123.*Sent/ })).toBeTruthy();
    state = "delivered";
    host.emit({ type: "sendUpdated", workspace: "sandbox", id: "send-3", state });
    expect(await screen.findByRole("row", { name: /447700900123.*Delivered/ })).toBeTruthy();
  });

  it("are not sent, rather than rejected, where they could not leave", async () => {
    const host = createFakeHost({ templates: 40 });
    const notSent = { code: "offline", reason: "connection refused" } as const;
    const row = { ...(SENDS[2] as (typeof SENDS)[number]), state: "refused", notSent };
    host.answer("list_sends", () => ({ rows: [row] }));
    renderApp("/sends", host);
    expect(
      await screen.findByRole("row", { name: /447700900123.*Not sent, We can't reach your provider/ }),
    ).toBeTruthy();
  });

  it("keep the views in place: the visible heading is the same for each", async () => {
    const { user } = renderApp("/sends");
    for (const view of ["Batches", "Recipients", "Sends"]) {
      await user.click(await screen.findByRole("radio", { name: view }));
      const heading = await screen.findByRole("heading", {
        level: 1,
        name: view === "Sends" ? "Sends" : `Sends : ${view}`,
      });
      expect(heading.firstChild?.textContent).toBe("Sends");
    }
  });

  it("cut a name apart from the number, whose end tells people apart", async () => {
    const host = createFakeHost({ templates: 40 });
    const [row] = SENDS;
    if (!row) throw new Error("There are sends");
    host.answer("list_sends", () => ({ rows: [{ ...row, recipientName: "Maria Souza" }] }));
    renderApp("/sends", host);
    const number = (await screen.findByText(row.formatted)).parentElement;
    expect([screen.getByText("Maria Souza").className, number?.className]).toEqual(["name", "number"]);
  });

  it("explain themselves where there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_sends", () => ({ rows: [], next: null }));
    renderApp("/sends", host);
    expect(await screen.findByText("No sends yet")).toBeTruthy();
  });

  it("explain why a message failed and what to do", async () => {
    renderApp("/sends/send-4");
    expect(await screen.findByText(/an image has at most 5 MB/)).toBeTruthy();
    const story = screen.getByRole("region", { name: "Delivery status" });
    expect(within(story).getByText("Failed")).toBeTruthy();
  });

  it("are narrowed by template, recipient and state, in the address", async () => {
    const { host, user } = renderApp("/sends?state=read");
    expect(await screen.findByRole("row", { name: /Maria Souza, 5511990001111, summer_sale_2026.*Read/ })).toBeTruthy();
    expect(screen.queryByRole("row", { name: /Failed/ })).toBeNull();
    await user.type(screen.getByRole("combobox", { name: "Recipient" }), "+44 7700 900123");
    await waitFor(() => expect(window.location.hash).toContain("recipient="));
    expect(await screen.findByText("No sends found")).toBeTruthy();
    expect(host.calls.filter(({ name }) => name === "list_sends").at(-1)?.request).toMatchObject({
      state: "read",
      recipient: "+44 7700 900123",
    });
    await user.clear(screen.getByRole("combobox", { name: "Recipient" }));
    await waitFor(() => expect(window.location.hash).not.toContain("recipient="));
    await user.click(screen.getByRole("button", { name: "Remove all filters" }));
    expect(await screen.findByRole("row", { name: /Failed, The media could not be uploaded/ })).toBeTruthy();
    expect(window.location.hash).not.toContain("state=");
  });
});

describe("the filter by status", () => {
  it("has a word for every badge, and says what “Failed” leaves out", async () => {
    const { host, user } = renderApp("/sends?state=failed");
    expect(await screen.findByText(/Choose “Rejected” or “Not sent” for those/)).toBeTruthy();
    await user.click(screen.getByRole("combobox", { name: "Status" }));
    await user.click(await screen.findByRole("option", { name: "Not sent" }));
    await waitFor(() =>
      expect(host.calls.filter(({ name }) => name === "list_sends").at(-1)?.request).toMatchObject({
        state: "notSent",
      }),
    );
    expect(screen.queryByText(/Choose “Rejected”/)).toBeNull();
  });

  it("lists numbers from left to right beside any name", async () => {
    const host = createFakeHost({ templates: 40 });
    const row = { ...(SENDS[2] as (typeof SENDS)[number]), recipientName: "محمد علي", formatted: "+55 11 98765-4321" };
    host.answer("list_sends", () => ({ rows: [row] }));
    renderApp("/sends", host);
    expect((await screen.findByText("+55 11 98765-4321")).getAttribute("dir")).toBe("ltr");
    expect(screen.getByText("محمد علي").tagName).toBe("BDI");
  });
});

describe("a new send", () => {
  it("is filled with samples and goes to its page", async () => {
    const { host, user } = renderApp(`/sends/new?reference=${REFERENCE}`);
    await user.click(await screen.findByRole("button", { name: "Fill with samples" }));
    expect(screen.getByLabelText<HTMLInputElement>(/Variable \{\{1\}\}/).value).toBe("Maria");
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), "5511990001111");
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    const sent = host.calls.find(({ name }) => name === "send_template");
    expect(sent?.request).toMatchObject({
      workspace: "sandbox",
      reference: REFERENCE,
      number: "108001",
      to: "5511990001111",
      values: { "body.1": "Maria", "body.2": "40%" },
      track: true,
    });
  });

  it("asks for what is missing at its field before anything is sent", async () => {
    const { host, user } = renderApp(`/sends/new?reference=5f3b8f0e-0000-4000-8000-000000000002`);
    await user.click(await screen.findByRole("button", { name: "Send" }));
    const recipient = screen.getByRole("combobox", { name: /Recipient/ });
    await waitFor(() => expect(recipient.getAttribute("aria-invalid")).toBe("true"));
    expect(
      screen.getByText("Enter the recipient's number with + and country code, or as people in its country write it."),
    ).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(recipient));
    expect(host.calls.some(({ name }) => name === "send_template")).toBe(false);
  });

  it("keeps everything typed when it is refused, and says so at the field", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("send_template", () =>
      refusal({ code: "invalidInput", field: "body.1", message: "A value has no line breaks." }),
    );
    const { user } = renderApp(`/sends/new?reference=5f3b8f0e-0000-4000-8000-000000000005`, host);
    await user.click(await screen.findByRole("button", { name: "Fill with samples" }));
    const variable = screen.getByLabelText<HTMLInputElement>(/Variable \{\{1\}\}/);
    await user.clear(variable);
    await user.type(variable, "Ana");
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), "5511990001111");
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(variable.getAttribute("aria-invalid")).toBe("true"));
    expect((await screen.findAllByText(/A value has no line breaks/)).length).toBeGreaterThan(0);
    expect(variable.value).toBe("Ana");
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Recipient/ }).value).toBe("5511990001111");
  });

  it("chooses among approved templates", async () => {
    const { host, user } = renderApp("/sends/new");
    await user.type(await screen.findByRole("textbox", { name: "Search approved templates" }), "order");
    await waitFor(() => expect(screen.queryByRole("row", { name: /summer_sale/ })).toBeNull());
    await user.click((await screen.findAllByRole("row", { name: /order_shipped/ }))[0] as HTMLElement);
    expect(await screen.findByRole("button", { name: "Fill with samples" })).toBeTruthy();
    const asked = host.calls.filter(({ name }) => name === "list_templates").at(-1);
    expect(asked?.request).toMatchObject({
      statuses: ["APPROVED"],
      archived: false,
      search: "order",
      sort: "name",
    });
  });

  it("names the account of a template where there are several", async () => {
    const host = createFakeHost({ templates: 40 });
    const workspace = await host.call("get_workspace", { workspace: "sandbox" });
    const wabaNames = { "102290129340398": "Florist", "102290129340411": "Clinic" };
    host.answer("get_workspace", () => ({ ...workspace, settings: { ...workspace.settings, wabaNames } }));
    renderApp("/sends/new", host);
    expect((await screen.findAllByRole("row", { name: /, Florist, Clinic$/ })).length).toBeGreaterThan(0);
    expect(screen.getAllByText("Florist").length).toBeGreaterThan(0);
  });

  it("answers a person from the number they wrote to, with what that number can send", async () => {
    const host = createFakeHost({ templates: 400 });
    const reference = "5f3b8f0e-0000-4000-8000-000000000013";
    const form = await host.call("get_send_form", { workspace: "sandbox", reference });
    const other = { id: "108009", label: "Wholesale", problem: null };
    host.answer("get_send_form", () => ({ ...form, number: other.id, numbers: [other, ...form.numbers] }));
    const { user } = renderApp("/sends/new?to=%2B5511990001111&number=108001", host);
    expect(await screen.findByText("You are answering Maria Souza from Main number.")).toBeTruthy();
    const asked = () => host.calls.filter(({ name }) => name === "list_templates").at(-1)?.request;
    await waitFor(() => expect(asked()).toMatchObject({ sendableFrom: "108001" }));
    await user.click(await screen.findByRole("button", { name: "Show all templates" }));
    await waitFor(() => expect(asked()).not.toHaveProperty("sendableFrom"));
    await user.type(screen.getByRole("textbox", { name: "Search approved templates" }), "order_shipped");
    await user.click((await screen.findAllByRole("row", { name: /order_shipped/ }))[0] as HTMLElement);
    const sender = await screen.findByRole<HTMLInputElement>("combobox", { name: /Sending number/ });
    expect(await screen.findByText("You are answering Maria Souza from Main number.")).toBeTruthy();
    expect(sender.value).toContain("108001");
    await user.click(sender);
    await user.click(await screen.findByRole("option", { name: /Wholesale/ }));
    expect(
      await screen.findByText("Maria Souza wrote to Main number. This message goes out from 108009."),
    ).toBeTruthy();
  });
});
