import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { wholeText } from "@test/whole-text";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import type { SendRequest, Workspace } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";

/** A template no other test fills: what is typed is kept for as long as the window lives. */
let next = 20;
const fresh = () => {
  for (;;) {
    next += 1;
    if (next % 11 !== 0 && next % 17 !== 0) return reference(next);
  }
};
const reference = (index: number) => `5f3b8f0e-0000-4000-8000-${String(index).padStart(12, "0")}`;

async function fillForm({ to = "5511990001111", template = fresh(), host = createFakeHost({ templates: 400 }) } = {}) {
  const app = renderApp(`/sends/new?reference=${template}`, host);
  await app.user.click(await screen.findByRole("button", { name: "Fill with samples" }));
  if (to !== "") await app.user.type(screen.getByRole("combobox", { name: /Recipient/ }), to);
  return { ...app, template };
}

const sentBy = (host: FakeHost) =>
  host.calls.filter(({ name }) => name === "send_template").map(({ request }) => request);
const send = () => screen.getByRole("button", { name: "Send" });

describe("the form of a send", () => {
  it("keeps a pasted line break, names it, and puts it right at a click", async () => {
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, createFakeHost({ templates: 400 }));
    const field = await screen.findByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/);
    await user.click(field);
    await user.paste("Ana\nMaria");
    expect(field.value).toBe("Ana\nMaria");
    expect(await screen.findByText(/Values can't contain line breaks/)).toBeTruthy();
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Use one line" }));
    expect(field.value).toBe("Ana Maria");
    await waitFor(() => expect(screen.queryByText(/Values can't contain line breaks/)).toBeNull());
  });

  it("names the code of a button that has no label", async () => {
    const [host, reference] = [createFakeHost({ templates: 400 }), fresh()];
    const form = await host.call("get_send_form", { workspace: "sandbox", reference });
    const code = { kind: "code", section: "button", label: "", required: true, sample: "SUN10" } as const;
    host.answer("get_send_form", () => ({ ...form, parts: [...form.parts, { id: "button.0.code", ...code }] }));
    renderApp(`/sends/new?reference=${reference}`, host);
    expect(await screen.findByLabelText(/^Coupon code/)).toBeTruthy();
  });

  it("keeps what few sends need under Advanced, and leaves it empty", async () => {
    const { host, user } = await fillForm();
    const footer = () => screen.queryByLabelText("Replace the footer for this send");
    const replyId = () => screen.queryByLabelText("Reply ID: Remind me later");
    expect([footer(), replyId()]).toEqual([null, null]);
    await user.click(screen.getByRole("button", { name: "Advanced" }));
    expect([footer(), replyId()]).toEqual([expect.anything(), expect.anything()]);
    await user.type(replyId() as HTMLElement, "later");
    await user.click(send());
    await waitFor(() => expect(sentBy(host)).toHaveLength(1));
    const { values } = sentBy(host)[0] as { values: Record<string, string> };
    expect([values["button.1.payload"], values["footer.text"]]).toEqual(["later", undefined]);
  });

  it("starts with a number that has the template, and says why another cannot send it", async () => {
    const [host, reference] = [createFakeHost({ templates: 400 }), fresh()];
    const form = await host.call("get_send_form", { workspace: "sandbox", reference });
    const problem: SendProblem = {
      field: "number",
      code: "number.account",
      severity: "warning",
      values: { number: "Shoes", accounts: "Retail BR" },
      message: "",
    };
    const shoes = { id: "108009", label: "Shoes", problem };
    host.answer("get_send_form", () => ({ ...form, numbers: [shoes, ...form.numbers] }));
    const { user } = renderApp(`/sends/new?reference=${reference}`, host);
    const number = await screen.findByRole<HTMLInputElement>("combobox", { name: /Sending number/ });
    expect(number.value).toBe("Main number (108001)");
    await user.click(number);
    const option = await screen.findByRole("option", {
      name: /Shoes can't send this template: it exists only in Retail BR/,
    });
    await user.click(option);
    expect(number.value).toBe("Main number (108001)");
  });

  it("says that a number is not in the workspace any more, and takes another", async () => {
    const [host, reference] = [createFakeHost({ templates: 400 }), fresh()];
    const form = await host.call("get_send_form", { workspace: "sandbox", reference });
    // As *Send again* leaves it.
    host.answer("get_send_form", () => ({ ...form, number: "999" }));
    const { user } = renderApp(`/sends/new?reference=${reference}`, host);
    const number = await screen.findByRole<HTMLInputElement>("combobox", { name: /Sending number/ });
    expect(number.value).toBe("999 (no longer in this workspace)");
    await user.click(number);
    await user.click(await screen.findByRole("option", { name: "Main number (108001)" }));
    expect(number.value).toBe("Main number (108001)");
  });

  it("types no line break into a value", async () => {
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, createFakeHost({ templates: 400 }));
    const field = await screen.findByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/);
    await user.type(field, "Ana{Enter}");
    expect(field.value).toBe("Ana");
  });

  it("takes one sample at a click, counts characters and clears everything", async () => {
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, createFakeHost({ templates: 400 }));
    await user.click(await screen.findByRole("button", { name: "Use the sample: Maria" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/).value).toBe("Maria");
    expect(screen.getByRole("img", { name: "5 of 961 characters" })).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{2\}\}/).value).toBe("");
    await user.click(screen.getByRole("button", { name: "Clear all" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/).value).toBe("");
    await user.click(screen.getByRole("button", { name: "Restore it" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/).value).toBe("Maria");
  });

  it("shows what the whole address becomes", async () => {
    const { user } = await fillForm({ template: reference(0) });
    const field = screen.getByLabelText<HTMLInputElement>(/Link ending: Shop the sale/);
    expect(screen.getAllByText("https://shop.example/sale/").length).toBeGreaterThan(0);
    await user.clear(field);
    await user.type(field, "a b");
    expect(await screen.findByText("https://shop.example/sale/a%20b")).toBeTruthy();
    expect(screen.getByText(/It is sent as a%20b/)).toBeTruthy();
  });

  it("offers the end of a whole address that was entered as the end", async () => {
    const { user } = await fillForm({ template: reference(0) });
    const field = screen.getByLabelText<HTMLInputElement>(/Link ending: Shop the sale/);
    await user.clear(field);
    await user.type(field, "https://shop.example/sale/AB12");
    await user.tab();
    await user.click(await screen.findByRole("button", { name: "Use only AB12" }));
    expect(field.value).toBe("AB12");
    await user.clear(field);
    await user.type(field, "https://shop.example/sale/");
    await user.tab();
    expect(await screen.findByText(/Enter only the end of the address\.$/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Use only/ })).toBeNull();
    await user.clear(field);
    await user.type(field, " 42 ");
    await user.click(await screen.findByRole("button", { name: "Use only 42" }));
    expect(field.value).toBe("42");
  });

  it("sends the template's own picture unless another one is chosen", async () => {
    const template = fresh();
    const { host, user, unmount } = renderApp(`/sends/new?reference=${template}`, createFakeHost({ templates: 400 }));
    const link = await screen.findByLabelText<HTMLInputElement>(/Picture link/);
    expect(link.value).toBe("https://shop.example/summer.jpg");
    const previewed = () => host.calls.findLast(({ name }) => name === "preview_send")?.request as SendRequest;
    await waitFor(() => expect(previewed().values).toEqual({ "header.link": "https://shop.example/summer.jpg" }));
    await user.clear(link);
    await user.type(link, "https://shop.example/large.jpg");
    await waitFor(() => expect(previewed().values).toEqual({ "header.link": "https://shop.example/large.jpg" }));
    // Emptied is a choice too.
    await user.clear(link);
    await waitFor(() => expect(previewed().values).toEqual({ "header.link": "" }));
    await user.click(screen.getByRole("button", { name: /^Use .*summer.jpg/ }));
    expect(link.value).toBe("https://shop.example/summer.jpg");
    unmount();
  });

  it("shows the picture that was accepted, and asks for it once", async () => {
    const { host } = await fillForm();
    const phone = await screen.findByRole("figure", { name: "Phone preview" });
    const picture = await within(phone).findByRole("img", { name: "Image" });
    expect(picture.getAttribute("src")).toMatch(/^data:image/);
    expect(host.calls.filter(({ name }) => name === "get_link_picture")).toHaveLength(1);
  });

  it("says what a link leads to, and that a file is too large", async () => {
    const { user } = await fillForm();
    expect(await screen.findByText(/The file is accepted · image\/jpeg · 178 kB/)).toBeTruthy();
    const link = screen.getByLabelText<HTMLInputElement>(/Picture link/);
    await user.clear(link);
    await user.type(link, "https://shop.example/large.jpg");
    expect(screen.getByText(/File not checked yet/)).toBeTruthy();
    await user.tab();
    expect(await screen.findByText(/The file is 5.7 MB; the limit is 5 MB/)).toBeTruthy();
  });

  it("knows the recipient's country once the number was typed", async () => {
    const { user } = await fillForm({ to: "5511990001111" });
    await user.tab();
    expect(await screen.findByText(wholeText("Maria Souza · +55 11 99000-1111 · Brazil"))).toBeTruthy();
  });

  it("shows what a number without country code became, and offers the other number that it could be", async () => {
    const { user } = await fillForm({ to: "(33) 98765-4321" });
    await user.tab();
    expect(await screen.findByText(wholeText("+55 33 98765-4321 · Brazil"))).toBeTruthy();
    expect(screen.getByText("Read as a number of Brazil, because it has no country code")).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Use +33 9 87 65 43 21, France" }));
    expect(await screen.findByText(wholeText("+33 9 87 65 43 21 · France"))).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Recipient/ }).value).toBe("+33987654321");
  });

  it("corrects the decimal of a spreadsheet with one click", async () => {
    const { user } = await fillForm({ to: "5511990001111.0" });
    await user.tab();
    expect(await screen.findByText(/it ends in decimals, which a spreadsheet added/)).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Use 5511990001111" }));
    expect(await screen.findByText(wholeText("Maria Souza · +55 11 99000-1111 · Brazil"))).toBeTruthy();
  });

  it("asks for the country where the workspace has none", async () => {
    const host = createFakeHost({ templates: 400 });
    const sandbox = (await host.call("get_workspace", { workspace: "sandbox" })) as Workspace;
    sandbox.settings.defaultCountry = "";
    const { user } = await fillForm({ to: "(33) 98765-4321", host });
    await user.tab();
    expect(await screen.findByText(/If its first digits are the country code, it is .*, France\./)).toBeTruthy();
    await user.click(screen.getByRole("combobox", { name: "Country of the number" }));
    await user.click(await screen.findByRole("option", { name: "Brazil (+55)" }));
    expect(await screen.findByText(wholeText("+55 33 98765-4321 · Brazil"))).toBeTruthy();
    // The choice can be taken back, and made again.
    await user.click(screen.getByLabelText("Clear the country"));
    expect(await screen.findByText(/If its first digits are the country code, it is .*, France\./)).toBeTruthy();
    expect(screen.getByRole("combobox", { name: "Country of the number" })).toBeTruthy();
  });

  it("names nobody while the country of the number is asked", async () => {
    const host = createFakeHost({ templates: 400 });
    const sandbox = (await host.call("get_workspace", { workspace: "sandbox" })) as Workspace;
    sandbox.settings.defaultCountry = "";
    const contact = { number: "33987654321", formatted: "+33 9 87 65 43 21", name: "Zoé" };
    host.answer("list_recent_contacts", () => [contact]);
    const { user } = await fillForm({ to: "33 98765-4321", host });
    await user.tab();
    expect(await screen.findByText(/If its first digits are the country code, it is .*, France\./)).toBeTruthy();
    expect(screen.queryByText(/^Zoé ·/)).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Use +33 9 87 65 43 21, France" }));
    expect(await screen.findByText(wholeText("Zoé · +33 9 87 65 43 21 · France"))).toBeTruthy();
  });

  it("finds a recipient of the address book by name, besides those of before", async () => {
    const host = createFakeHost({ templates: 400 });
    host.answer("list_recipients", ({ workspace }) => ({
      rows: [
        {
          id: "r1",
          workspace,
          name: "Zoë Lima",
          number: "5521988887777",
          formatted: "+55 21 98888-7777",
          labels: [],
          note: "",
          stoppedMarketing: false,
          values: {},
        },
      ],
      labels: [],
      fields: [],
    }));
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, host);
    const to = await screen.findByRole<HTMLInputElement>("combobox", { name: /Recipient/ });
    await user.type(to, "zo");
    const option = await screen.findByRole("option", { name: /Zoë Lima/ });
    expect(screen.queryByRole("option", { name: "+447700900123" })).toBeNull();
    await user.click(option);
    expect(to.value).toBe("+5521988887777");
    await user.clear(to);
    await user.type(to, "4477");
    expect(await screen.findByRole("option", { name: "+447700900123" })).toBeTruthy();
    expect(screen.queryByRole("option", { name: /Zoë Lima/ })).toBeNull();
  });

  it("does not say that any number works beside the error of a number", async () => {
    const host = createFakeHost({ templates: 400 });
    const plain = createFakeHost({ templates: 400 });
    const values = { reason: "it is too short", fault: "tooShort" };
    const problems = [{ field: "to", code: "to.invalid", severity: "error", message: "", values } as const];
    host.answer("preview_send", async (request) => ({
      ...(await plain.call("preview_send", request)),
      problems: [...problems],
    }));
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, host);
    await user.type(await screen.findByRole("combobox", { name: /Recipient/ }), "12");
    await user.tab();
    expect(await screen.findByText(/This is not a phone number: it is too short/)).toBeTruthy();
    expect(screen.queryByText(/Any number works in the sandbox/)).toBeNull();
  });

  it("offers phones of the sandbox and the address book, each person once, and says that any number works", async () => {
    const { user } = renderApp(`/sends/new?reference=${fresh()}`, createFakeHost({ templates: 400 }));
    const to = await screen.findByRole<HTMLInputElement>("combobox", { name: /Recipient/ });
    expect(screen.getByText(/Any number works in the sandbox/)).toBeTruthy();
    await user.click(to);
    const phones = within(await screen.findByRole("group", { name: "Sandbox phones" }));
    const maria = phones.getByRole("option", { name: /Maria Souza.*\+55 11/ });
    expect(within(screen.getByRole("group", { name: "Address book" })).getByText("Jonas Weber")).toBeTruthy();
    expect(screen.getAllByRole("option", { name: /\+55 11 99000-1111/ })).toHaveLength(1);
    await user.click(maria);
    expect(to.value).toMatch(/^\+55119900/);
    // Opened again, it offers everybody.
    await user.click(to);
    expect(await screen.findByText("Jonas Weber")).toBeTruthy();
  });

  it("shows the sample picture before anything is filled in", async () => {
    renderApp(`/sends/new?reference=${fresh()}`, createFakeHost({ templates: 400 }));
    const phone = await screen.findByRole("figure", { name: "Phone preview" });
    expect((await within(phone).findByRole("img", { name: "Image" })).getAttribute("src")).toMatch(/^data:image/);
    expect(await within(phone).findByText("Main number")).toBeTruthy();
  });

  it("asks for every part of the cards, and opens the card that lacks one", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user } = renderApp(`/sends/new?reference=${reference(4)}`, host);
    const second = await screen.findByRole("button", { name: /Card 2/ });
    await waitFor(() => expect(within(second).getByText("1 to fix")).toBeTruthy());
    await user.click(await screen.findByRole("button", { name: "Fill with samples" }));
    await waitFor(() => expect(within(second).queryByText(/to fix/)).toBeNull());
    await user.click(second);
    expect(screen.getAllByLabelText<HTMLInputElement>(/Picture link/).map(({ value }) => value)).toEqual([
      "https://shop.example/summer.jpg",
      "https://shop.example/0.jpg",
      "https://shop.example/1.jpg",
    ]);
  });

  it("gives an instant as local time and as exact milliseconds", async () => {
    renderApp(`/sends/new?reference=${reference(7)}`, createFakeHost({ templates: 40 }));
    const time = await screen.findByLabelText<HTMLInputElement>(/^Ends at \(local time\): Nur heute!( \*)?$/);
    const exact = screen.getByLabelText<HTMLInputElement>("Ends at (local time): Nur heute!: Milliseconds");
    fireEvent.change(time, { target: { value: "2026-12-24T18:00" } });
    expect(exact.value).toBe(String(new Date(2026, 11, 24, 18).getTime()));
    fireEvent.change(exact, { target: { value: String(new Date(2026, 11, 24, 18, 0, 5, 123).getTime()) } });
    expect(time.value).toBe("2026-12-24T18:00:05");
  });

  it("explains a template that cannot be sent, with the way out", async () => {
    renderApp(`/sends/new?reference=${reference(8)}`, createFakeHost({ templates: 40 }));
    expect(await screen.findByText(/This template is archived/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Open template" }).getAttribute("href")).toContain(reference(8));
    expect(send()).toHaveProperty("disabled", true);
  });

  it("shows the request as JSON and as a command without the token", async () => {
    const { user } = await fillForm();
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    // The preview follows a moment after the last digit.
    await waitFor(() =>
      expect(screen.getByRole("group", { name: "Technical details" }).textContent).toContain('"to": "5511990001111"'),
    );
    await user.click(screen.getByRole("tab", { name: "curl" }));
    expect(screen.getByText(/The token is not included/)).toBeTruthy();
    expect(screen.getByRole("group", { name: "curl" }).textContent).toContain("Bearer $TDESK_TOKEN");
    expect(screen.getByRole("button", { name: "Copy as a curl command" })).toBeTruthy();
  });

  it("shows the callback data exactly as it goes, merged or to the letter", async () => {
    const { host, user } = await fillForm();
    await user.click(screen.getByRole("button", { name: /Advanced/ }));
    const goes = () => screen.getByRole("group", { name: "What is sent" }).textContent;
    await waitFor(() => expect(goes()).toBe('{"td":"set-when-sending"}'));
    await user.click(screen.getByRole("switch", { name: /^Send exactly this text/ }));
    expect(screen.getByRole("switch", { name: /^Track this send/ })).toHaveProperty("disabled", true);
    expect(await screen.findByText("No callback data is sent.")).toBeTruthy();
    await user.click(send());
    await waitFor(() => expect(sentBy(host)).toHaveLength(1));
    expect(sentBy(host)[0]).toMatchObject({ exactCallback: true, callbackData: "" });
  });

  it("can be read by assistive tools, unfolded and full of problems", async () => {
    const { container, user } = renderApp(`/sends/new?reference=${reference(7)}`, createFakeHost({ templates: 40 }));
    await user.click(await screen.findByRole("button", { name: /Advanced/ }));
    await screen.findByRole("textbox", { name: "Callback data" });
    await user.type(screen.getByLabelText("Replace the footer for this send"), "x");
    await screen.findByText(/Your provider documents values for footers/);
    expect(container).toBeTruthy();
    const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`)).toEqual([]);
  });
});

describe("sending", () => {
  it("stops at an error and leads to its field", async () => {
    const { host, user } = await fillForm();
    const link = screen.getByLabelText<HTMLInputElement>(/Picture link/);
    await user.clear(link);
    await user.type(link, "https://shop.example/large.jpg");
    await user.click(send());
    await waitFor(() => expect(document.activeElement).toBe(link));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sentBy(host)).toEqual([]);
  });

  it("asks about warnings, and goes with their codes when the person says so", async () => {
    const { host, user } = await fillForm();
    await user.click(screen.getByRole("button", { name: "Advanced" }));
    await user.type(await screen.findByLabelText("Replace the footer for this send"), "STOP");
    const link = screen.getByLabelText<HTMLInputElement>(/Picture link/);
    await user.clear(link);
    await user.type(link, "https://shop.example/gone.jpg");
    await user.click(send());
    const dialog = await screen.findByRole("dialog", { name: "Check before you send" });
    expect(within(dialog).getByText(/The server responded with status 404/)).toBeTruthy();
    expect(within(dialog).getByText(/Your provider documents values for footers/)).toBeTruthy();
    expect(sentBy(host)).toEqual([]);

    await user.click(within(dialog).getByRole("button", { name: "Go back" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(link.value).toBe("https://shop.example/gone.jpg");

    await user.click(send());
    await user.click(await screen.findByRole("button", { name: "Send anyway" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    expect(sentBy(host)).toHaveLength(1);
    expect(sentBy(host)[0]).toMatchObject({ overrides: ["value.footer", "media.status"] });
  });

  it("sends once, however often it is clicked", async () => {
    const { host, user } = await fillForm();
    await user.dblClick(send());
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    expect(sentBy(host)).toHaveLength(1);
  });

  it("leads back to where the form was opened", async () => {
    const { user } = await fillForm();
    const before = window.history.length;
    await user.click(send());
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    expect(window.history.length).toBe(before);
  });

  it("says why it could not be checked, and keeps everything", async () => {
    const host = createFakeHost({ templates: 400 });
    const { user } = await fillForm({ host });
    host.answer("preflight_send", () => refusal({ code: "storage", reason: "disk full" }));
    await user.click(send());
    expect(await screen.findByText("We couldn't read or save your data")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/).value).toBe("Maria");
    expect(sentBy(host)).toEqual([]);
  });

  it("keeps what was typed when the person looks elsewhere", async () => {
    const { user, template, unmount } = await fillForm();
    await user.click(screen.getByRole("link", { name: "Activity" }));
    await screen.findByRole("heading", { level: 1, name: "Activity" });
    unmount();
    renderApp(`/sends/new?reference=${template}`, createFakeHost({ templates: 400 }));
    expect((await screen.findByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/)).value).toBe("Maria");
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Recipient/ }).value).toBe("5511990001111");
  });
});

describe("a free text", () => {
  const open = (host = createFakeHost({ templates: 40 })) => renderApp("/sends/new?mode=text", host);

  it("says whether the service window is open", async () => {
    const { user } = open();
    const to = await screen.findByRole("combobox", { name: /Recipient/ });
    expect(screen.getByText(/You can send free text only within 24 hours/)).toBeTruthy();
    await user.type(to, "5511990001111");
    expect(await screen.findByText(/You can reply freely until/)).toBeTruthy();
    await user.clear(to);
    await user.type(to, "33600000000");
    expect(await screen.findByText(/We have received no message from this recipient/)).toBeTruthy();
  });

  it("begins with the recipient a link asks for", async () => {
    renderApp("/sends/new?mode=text&to=4915200000000", createFakeHost({ templates: 40 }));
    const to = await screen.findByRole<HTMLInputElement>("combobox", { name: /Recipient/ });
    await waitFor(() => expect(to.value).toBe("4915200000000"));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/new\?mode=text&reply=%224915200000000%22$/));
  });

  it("goes although the window is closed only when the person says so", async () => {
    const { host, user } = open();
    const to = await screen.findByRole("combobox", { name: /Recipient/ });
    await user.clear(to);
    await user.type(to, "447700900123");
    expect(await screen.findByText(/The reply window has been closed since/)).toBeTruthy();
    await user.type(screen.getByRole("textbox", { name: /^Text/ }), "Hello{Enter}there");
    await user.click(screen.getByRole("switch", { name: /^Show a preview of the first link/ }));
    await user.click(send());
    const dialog = await screen.findByRole("dialog", { name: "Check before you send" });
    expect(within(dialog).getByText(/WhatsApp rejects free text/)).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Send anyway" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    expect(host.calls.find(({ name }) => name === "send_text")?.request).toMatchObject({
      to: "447700900123",
      text: "Hello\nthere",
      previewUrl: true,
      overrides: ["to.kind", "text.windowClosed"],
    });
  });
});
