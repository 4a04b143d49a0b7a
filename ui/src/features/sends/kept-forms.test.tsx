import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const REFERENCE = "5f3b8f0e-0000-4000-8000-000000000000";
const NEW_SEND = `/sends/new?reference=${REFERENCE}`;
const TEXT = "/sends/new?mode=text";
const MARIA = "+5511990001111";
const JONAS = "+491512345678";

/** The address that the conversation with `person` links to. */
const replyTo = (person: string, to = NEW_SEND) => `${to}&to=${encodeURIComponent(person)}&number=108001`;

async function open(address: string, host: FakeHost = createFakeHost({ templates: 40 })) {
  cleanup();
  const app = renderApp(address, host);
  await screen.findByRole("combobox", { name: /Recipient/ });
  return app;
}

const recipient = () => screen.getByRole<HTMLInputElement>("combobox", { name: /Recipient/ }).value;
const variable = () => screen.getByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/);
const note = (words: RegExp) => screen.findByText(words);

describe("what was typed and not sent", () => {
  it("for one person is not in the reply to another, and is there again for the first", async () => {
    const { user } = await open(replyTo(MARIA));
    await user.type(variable(), "Mariana");

    await open(replyTo(JONAS));
    expect([recipient(), variable().value]).toEqual([JONAS, ""]);
    expect(screen.queryByRole("button", { name: "Start empty" })).toBeNull();

    const again = await open(replyTo(MARIA));
    expect([recipient(), variable().value]).toEqual([MARIA, "Mariana"]);
    expect(await note(/You typed this for Maria Souza and did not send it/)).toBeTruthy();
    await again.user.click(screen.getByRole("button", { name: "Start empty" }));
    expect([recipient(), variable().value]).toEqual([MARIA, ""]);
    expect(screen.queryByText(/did not send it/)).toBeNull();
    await again.user.click(screen.getByRole("button", { name: "Restore it" }));
    expect(variable().value).toBe("Mariana");
  });

  it("in a reply is not in a new send", async () => {
    const { user } = await open(replyTo(MARIA));
    await user.type(variable(), "Mariana");
    await open(NEW_SEND);
    expect([recipient(), variable().value]).toEqual(["", ""]);
  });

  it("for somebody else in the form of a reply is set aside when the person is answered again", async () => {
    const { user } = await open(replyTo(MARIA));
    await user.type(variable(), "Jonas");
    await user.clear(screen.getByRole("combobox", { name: /Recipient/ }));
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), JONAS);

    const again = await open(replyTo(MARIA));
    await waitFor(() => expect([recipient(), variable().value]).toEqual([MARIA, ""]));
    await again.user.click(screen.getByRole("button", { name: "Restore it" }));
    expect([recipient(), variable().value]).toEqual([JONAS, "Jonas"]);
  });

  it("is named where it is restored in a new send", async () => {
    const { user } = await open(NEW_SEND);
    await user.type(variable(), "Ana");
    const again = await open(NEW_SEND);
    expect(await note(/You typed this earlier and did not send it/)).toBeTruthy();
    await again.user.click(screen.getByRole("button", { name: "Start empty" }));
    expect(variable().value).toBe("");
  });

  it("as a free text belongs to its conversation too", async () => {
    const { user } = await open(replyTo(MARIA, TEXT));
    await user.type(screen.getByRole("textbox", { name: /^Text/ }), "Hello Mariana");
    await open(TEXT);
    expect([recipient(), screen.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ }).value]).toEqual(["", ""]);
    await open(replyTo(MARIA, TEXT));
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ }).value).toBe("Hello Mariana");
    expect(screen.getByRole("button", { name: "Start empty" })).toBeTruthy();
  });

  it("keeps the recipient of a reply when the page is loaded again", async () => {
    await open(replyTo(MARIA));
    await waitFor(() => expect(window.location.hash).toContain("reply="));
    await open(window.location.hash.slice(1));
    expect(recipient()).toBe(MARIA);
    expect(screen.queryByRole("button", { name: "Start empty" })).toBeNull();
  });

  it("loses the code of an authentication template with its form", async () => {
    const host = createFakeHost({ templates: 40 });
    const form = await host.call("get_send_form", { workspace: "sandbox", reference: REFERENCE });
    const code = { id: "body.1", kind: "code", section: "body", label: "", required: true, sample: "123456" } as const;
    host.answer("get_send_form", () => ({ ...form, parts: [code] }));
    const { user } = await open(NEW_SEND, host);
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), MARIA);
    const field = () => screen.getByLabelText<HTMLInputElement>(/^Code/);
    await user.type(field(), "861999");
    await waitFor(async () => expect(JSON.stringify(await host.call("list_unfinished_forms", {}))).toContain(MARIA));
    expect(JSON.stringify(host.calls.filter(({ name }) => name === "save_unfinished_form"))).not.toContain("861999");

    await open(NEW_SEND, host);
    expect([recipient(), field().value]).toEqual([MARIA, ""]);
  });
});

describe("what was sent", () => {
  async function sendToMaria() {
    const { user, host } = await open(NEW_SEND);
    await user.click(screen.getByRole("button", { name: "Fill with samples" }));
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), MARIA);
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    return host;
  }

  it("fills no other form of the template", async () => {
    await sendToMaria();
    await open(NEW_SEND);
    expect([recipient(), variable().value]).toEqual(["", ""]);
    expect(screen.queryByRole("button", { name: "Start empty" })).toBeNull();
  });

  it("is taken over for another recipient by a button that names whose values they are", async () => {
    await sendToMaria();
    const { user } = await open(NEW_SEND);
    await user.click(await screen.findByRole("button", { name: "Use the values sent to Maria Souza" }));
    expect([recipient(), variable().value]).toEqual(["", "Maria"]);
  });

  it("as a free text does not fill the next one", async () => {
    const { user } = await open(TEXT);
    await user.type(screen.getByRole("combobox", { name: /Recipient/ }), MARIA);
    await user.type(screen.getByRole("textbox", { name: /^Text/ }), "Hello Mariana");
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
    await open(TEXT);
    expect([recipient(), screen.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ }).value]).toEqual(["", ""]);
  });
});
