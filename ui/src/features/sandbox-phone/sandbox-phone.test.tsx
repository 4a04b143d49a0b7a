import { createFakeHost, type FakeHost, refusal } from "@test/fake-host";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { dayText } from "@/lib/days";

const requestOf = (host: FakeHost, command: string) =>
  host.calls.filter(({ name }) => name === command).at(-1)?.request;

const openPhone = async () => {
  const app = renderApp("/phone");
  const phone = await screen.findByRole("figure", { name: "Phone 5511990001111" });
  await within(phone).findByRole("list", { name: "Messages on the phone" });
  return { ...app, phone: within(phone) };
};

describe("the thread", () => {
  it("shows both directions by day, with statuses, quotes, files and why something failed", async () => {
    const { phone } = await openPhone();
    const [first, ...rest] = phone.getAllByRole("article");
    expect(first?.textContent).toContain("Lo nuevo de esta semana");
    const days = [...phone.getByRole("list", { name: "Messages on the phone" }).children].filter(
      (entry) => entry.querySelector("article") === null,
    );
    expect(days.map(({ textContent }) => textContent)).toEqual(
      [NOW - 30 * 3_600_000, NOW].map((at) => dayText(at, "en")),
    );
    const answer = rest.find(
      ({ textContent }) => textContent?.includes("Not interested") && textContent.includes("Main number"),
    );
    expect(within(answer as HTMLElement).getByText(/Hello Maria/)).toBeTruthy();
    expect(phone.getByText("invoice-10482.pdf")).toBeTruthy();
    expect(phone.getByText("47 kB")).toBeTruthy();
    expect(phone.getByRole("img", { name: "thanks.webp" }).getAttribute("src")).toMatch(/^data:image/);
    expect(phone.getByText("Not delivered yet.")).toBeTruthy();
    const failed = phone.getByText("Not delivered: 131053.").parentElement;
    expect(failed?.textContent).toMatch(/131053\. \S+/);
    expect(phone.getAllByRole("img", { name: "Read" }).length).toBe(2);
    expect(phone.getByRole("img", { name: "Failed" })).toBeTruthy();
  });

  it("is with the business by the name of its number", async () => {
    const { phone } = await openPhone();
    expect((await phone.findAllByText("Main number")).length).toBeGreaterThan(0);
    expect(phone.queryByText("Your business")).toBeNull();
  });

  it("taps a quick reply of a card, once, and shows the answer", async () => {
    const { host, user, phone } = await openPhone();
    const card = within(await phone.findByRole("listitem", { name: "Card 2 of 3" }));
    await user.click(card.getByRole("button", { name: "Guardar" }));
    expect(requestOf(host, "tap_button")).toEqual({
      recipient: "5511990001111",
      message: "p0",
      button: 1,
      card: 1,
      form: "interactive",
    });
    const tapped = await card.findByRole("button", { name: "Guardar, tapped" });
    expect(tapped.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(tapped);
    expect(phone.getAllByRole("article").at(-1)?.textContent).toContain("Guardar");
    // What was tapped before is marked on its own card.
    const other = within(phone.getByRole("listitem", { name: "Card 1 of 3" }));
    expect(other.getByRole("button", { name: "Guardar, tapped" })).toBeTruthy();
  });

  it("lets quick replies arrive as the channel's buttons", async () => {
    const { host, user, phone } = await openPhone();
    await user.click(await screen.findByRole("radio", { name: "Button" }));
    await waitFor(() => expect(requestOf(host, "save_sandbox_settings")).toMatchObject({ tapForm: "button" }));
    await waitFor(() => expect(screen.getByRole("radio", { name: "Button" })).toHaveProperty("checked", true));
    await user.click(phone.getByRole("button", { name: "Remind me later" }));
    expect(requestOf(host, "tap_button")).toMatchObject({ message: "p1", button: 1, form: "button" });
  });

  it("shows an address before it is opened", async () => {
    const { host, user, phone } = await openPhone();
    await user.click(phone.getByRole("button", { name: "Shop the sale" }));
    const note = within(await screen.findByRole("region", { name: "Destination of “Shop the sale”" }));
    const address = note.getByText(/^https:\/\//).textContent;
    expect(host.calls.some(({ name }) => name === "open_link" || name === "tap_button")).toBe(false);
    await user.click(note.getByRole("button", { name: "Open in the browser" }));
    expect(requestOf(host, "open_link")).toEqual({ url: address });
    host.answer("open_link", () => refusal({ code: "invalidInput", field: "url", message: "Only https is opened." }));
    await user.click(note.getByRole("button", { name: "Open in the browser" }));
    expect(await note.findByText(/Only https is opened/)).toBeTruthy();
    await user.click(note.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("region", { name: /leads$/ })).toBeNull();
  });

  it("copies the code of a button", async () => {
    const host = createFakeHost({ templates: 40 });
    const messages = await host.call("list_phone_messages", { recipient: "5511990001111" });
    const [message] = messages.filter(({ bubble }) => bubble != null);
    if (message?.bubble) {
      message.bubble.buttons = [{ kind: "COPY_CODE", label: "Copy offer code", target: "BLITZ25" }];
      message.bubble.visible_buttons = 1;
    }
    host.answer("list_phone_messages", () => [message as (typeof messages)[0]]);
    const { user } = renderApp("/phone", host);
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await screen.findByRole("button", { name: "Copy offer code" }));
    await user.click(await screen.findByRole("button", { name: "Copy BLITZ25" }));
    expect(write).toHaveBeenCalledWith("BLITZ25");
  });

  it("names a message without words by its kind, also where it is quoted", async () => {
    const host = createFakeHost({ templates: 40 });
    const [message] = await host.call("list_phone_messages", { recipient: "5511990001111" });
    if (!message) throw new Error("There are messages");
    const image = { ...message, bubble: null, id: "i", fromPhone: true, kind: "image", text: null, media: null };
    const answer = { ...image, id: "a", fromPhone: false, kind: "text", text: "Thanks", replyTo: "i" };
    host.answer("list_phone_messages", () => [image, answer]);
    renderApp("/phone", host);
    expect(await screen.findByRole("article", { name: /Image$/ })).toBeTruthy();
    const reply = within(screen.getByRole("article", { name: /Thanks$/ }));
    expect(reply.getByText("Image")).toBeTruthy();
  });

  it("says what has come when nothing has", async () => {
    renderApp("/phone?recipient=447700900123");
    expect(await screen.findByText(/No messages yet/)).toBeTruthy();
  });
});

describe("writing from the phone", () => {
  it("keeps a typed answer until it is taken", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("type_text", () => refusal({ code: "conflict", message: "The sandbox is stopping." }));
    const { user } = renderApp("/phone", host);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Type a message" });
    await user.type(field, "Hello{Enter}");
    expect(await screen.findByText("The sandbox is stopping.")).toBeTruthy();
    expect(field.value).toBe("Hello");
    host.answer("type_text", () => ({}));
    await user.type(field, "{Enter}");
    await waitFor(() => expect(field.value).toBe(""));
    expect(requestOf(host, "type_text")).toMatchObject({ recipient: "5511990001111", text: "Hello", replyTo: null });
  });

  it("says at the field why a text is refused", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("type_text", () =>
      refusal({ code: "invalidInput", field: "text", message: "At most 4096 characters." }),
    );
    const { user } = renderApp("/phone", host);
    const field = await screen.findByRole("textbox", { name: "Type a message" });
    await user.type(field, "Hello{Enter}");
    expect(await screen.findByText("At most 4096 characters.")).toBeTruthy();
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("edits and deletes a text that it sent", async () => {
    const { host, user, phone } = await openPhone();
    const choose = async (item: string) => {
      await user.click(phone.getByRole("button", { name: /^Change “.*available in/ }));
      await user.click(await screen.findByRole("menuitem", { name: item }));
    };
    await choose("Edit");
    const field = phone.getByRole<HTMLInputElement>("textbox", { name: "Type a message" });
    expect(field.value).toBe("Is it also available in blue? 💙");
    await user.clear(field);
    await user.type(field, "Is it also available in green?{Enter}");
    const request = { recipient: "5511990001111", message: "p7" };
    await waitFor(() =>
      expect(requestOf(host, "revise_phone_message")).toEqual({ ...request, text: "Is it also available in green?" }),
    );
    const changed = await phone.findByRole("article", { name: /available in green/ });
    expect(changed.textContent).toContain("Edited · ");
    expect(field.value).toBe("");
    await choose("Delete for everyone");
    await waitFor(() => expect(requestOf(host, "revise_phone_message")).toEqual({ ...request, text: null }));
    expect(await phone.findByText("You deleted this message")).toBeTruthy();
    expect(phone.queryByRole("button", { name: /^Change “/ })).toBeNull();
  });

  it("replies to a message, and quotes it", async () => {
    const { host, user, phone } = await openPhone();
    await user.click(phone.getByRole("button", { name: "Reply to “Your parcel is on its way”" }));
    const field = phone.getByRole("textbox", { name: "Type a message" });
    expect(document.activeElement).toBe(field);
    await user.type(field, "Great{Enter}");
    await waitFor(() => expect(requestOf(host, "type_text")).toMatchObject({ text: "Great", replyTo: "p5" }));
    await waitFor(() =>
      expect(phone.getAllByRole("article").at(-1)?.textContent).toContain("Your parcel is on its way"),
    );
    expect(phone.queryByRole("button", { name: "Cancel reply" })).toBeNull();
  });

  it("sends a file, with what is typed below it", async () => {
    const { host, user, phone } = await openPhone();
    await user.type(phone.getByRole("textbox", { name: "Type a message" }), "Look");
    await user.click(phone.getByRole("button", { name: "Attach a file" }));
    expect(requestOf(host, "send_phone_file")).toMatchObject({ recipient: "5511990001111", caption: "Look" });
    expect(await phone.findByRole("img", { name: "boots.jpg" })).toBeTruthy();
    await waitFor(() => expect(phone.getByRole("textbox")).toHaveProperty("value", ""));
  });

  it("sends files that are dropped, in their order, until one is refused", async () => {
    const { host, user, phone } = await openPhone();
    await user.type(phone.getByRole("textbox", { name: "Type a message" }), "Look");
    act(() => host.drop({ state: "over" }));
    expect(phone.getByText("Drop to send it from the phone")).toBeTruthy();
    host.answer("send_phone_file", ({ path }) =>
      path === "/b.exe" ? refusal({ code: "file", name: "b.exe", reason: "no kind a phone sends" }) : true,
    );
    act(() => host.drop({ state: "dropped", paths: ["/a.png", "/b.exe", "/c.png"] }));
    expect(await phone.findByText(/no kind a phone sends/)).toBeTruthy();
    const sent = host.calls.flatMap(({ name, request }) => (name === "send_phone_file" ? [request] : []));
    // Only the first file has the caption.
    expect(sent).toMatchObject([
      { path: "/a.png", caption: "Look" },
      { path: "/b.exe", caption: null },
    ]);
    expect(phone.queryByText("Drop to send it from the phone")).toBeNull();
    // What is written next is about something else.
    await user.type(phone.getByRole("textbox", { name: "Type a message" }), "Never mind");
    expect(phone.queryByText(/no kind a phone sends/)).toBeNull();
  });

  it("keeps what is typed when the choice of a file is given up", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("send_phone_file", () => false);
    const { user } = renderApp("/phone", host);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Type a message" });
    await user.type(field, "Look");
    await user.click(screen.getByRole("button", { name: "Attach a file" }));
    await waitFor(() => expect(requestOf(host, "send_phone_file")).toBeDefined());
    expect(field.value).toBe("Look");
  });

  it("chooses the number that is written to where there are several", async () => {
    const host = createFakeHost({ templates: 40 });
    const stored = await host.call("get_workspace", { workspace: "sandbox" });
    host.answer("get_workspace", () => ({
      ...stored,
      settings: {
        ...stored.settings,
        numbers: [...stored.settings.numbers, { id: "108002", label: "Support", wabaId: "", ownWebhook: false }],
      },
    }));
    const { user } = renderApp("/phone", host);
    await user.click(await screen.findByRole("combobox", { name: "Business number" }));
    await user.click(await screen.findByRole("option", { name: "To Support" }));
    await user.click(screen.getByRole("button", { name: "Stop marketing from Support" }));
    await waitFor(() => expect(requestOf(host, "choose_phone_marketing")).toMatchObject({ number: "108002" }));
    await screen.findByRole("button", { name: "Resume marketing from Support" });
    await user.type(screen.getByRole("textbox", { name: "Type a message" }), "Hi{Enter}");
    await waitFor(() => expect(requestOf(host, "type_text")).toMatchObject({ number: "108002" }));
  });
});

describe("phones", () => {
  it("are found by number, name and last message", async () => {
    const { user } = await openPhone();
    const list = () => screen.getAllByRole("row").map((row) => row.getAttribute("aria-label"));
    expect(list()).toEqual(["Maria Souza, 5511990001111, 8 messages", "447700900123, no messages"]);
    const search = screen.getByRole("textbox", { name: "Search phones" });
    await user.type(search, "+44 7700");
    expect(list()).toEqual(["447700900123, no messages"]);
    await user.clear(search);
    await user.type(search, "in blue");
    expect(list()).toEqual(["Maria Souza, 5511990001111, 8 messages"]);
    await user.type(search, "x");
    expect(screen.getByText("No phones found")).toBeTruthy();
  });

  it("are added with a number and a name, and opened", async () => {
    const { host, user } = await openPhone();
    await user.click(screen.getByRole("button", { name: "Add a phone" }));
    const form = within(await screen.findByRole("dialog", { name: "Add a phone" }));
    const number = form.getByRole("textbox", { name: "Number" });
    await user.type(number, "12");
    await user.click(form.getByRole("button", { name: "Add" }));
    expect(await form.findByText("Enter 7 to 15 digits with country code.")).toBeTruthy();
    await user.clear(number);
    await user.type(number, "+49 1520 0000000");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Jonas");
    await user.click(form.getByRole("button", { name: "Add" }));
    expect(await screen.findByRole("figure", { name: "Phone 4915200000000" })).toBeTruthy();
    expect(requestOf(host, "add_phone")).toEqual({ recipient: "+49 1520 0000000", name: "Jonas" });
    expect(screen.getByRole("heading", { name: /Jonas/ })).toBeTruthy();
  });

  it("are read by hand where they do not read by themselves", async () => {
    const host = createFakeHost({ templates: 40 });
    const stored = await host.call("get_sandbox_settings", {});
    host.answer("get_sandbox_settings", () => ({ ...stored, autoRead: false }));
    const messages = await host.call("list_phone_messages", { recipient: "5511990001111" });
    host.answer("list_phone_messages", () => messages.map((message) => ({ ...message, status: "delivered" })));
    const { user } = renderApp("/phone", host);
    await user.click(await screen.findByRole("button", { name: "Mark as read" }));
    await waitFor(() => expect(requestOf(host, "read_phone")).toEqual({ recipient: "5511990001111" }));
  });
});

describe("what happens next", () => {
  it("lets the next sends of a phone fail with a code from the table", async () => {
    const { host, user } = await openPhone();
    const form = within(await screen.findByRole("region", { name: "Delivery behavior" }));
    expect(screen.getByText("Delivered as usual.")).toBeTruthy();
    await user.click(form.getByRole("radio", { name: "Fail" }));
    expect(form.getByRole("button", { name: /^Apply to/ })).toHaveProperty("disabled", true);
    expect(form.getByText("Choose the error code that messages fail with.")).toBeTruthy();
    await user.type(form.getByRole("combobox", { name: "Error code" }), "131047");
    await user.click(await screen.findByRole("option", { name: /^131047 · / }));
    await user.click(form.getByRole("checkbox", { name: "Only for the next sends" }));
    await user.clear(form.getByRole("textbox", { name: "Number of sends" }));
    await user.type(form.getByRole("textbox", { name: "Number of sends" }), "3");
    await user.click(form.getByRole("button", { name: /^Apply to/ }));
    expect(requestOf(host, "save_phone_script")).toEqual({
      recipient: "5511990001111",
      script: { next: "fail", ms: null, code: 131_047, times: null, count: 3 },
    });
    expect(await screen.findByText("Fails with 131047. For the next 3 sends.")).toBeTruthy();
    await user.click(form.getByRole("button", { name: "Reset to normal" }));
    await waitFor(() =>
      expect(requestOf(host, "save_phone_script")).toEqual({ recipient: "5511990001111", script: null }),
    );
    expect(await screen.findByText("Delivered as usual.")).toBeTruthy();
  });

  it.each([
    [1000, "1 second between statuses."],
    [2500, "2.5 seconds between statuses."],
  ])("says how slowly statuses come: %s ms", async (ms, words) => {
    const host = createFakeHost({ templates: 40 });
    await host.call("save_phone_script", { recipient: "*", script: { next: "slow", ms } });
    renderApp("/phone", host);
    expect(await screen.findByText(new RegExp(`^${words.replaceAll(".", "\\.")}`))).toBeTruthy();
  });

  it("holds for every phone until it is changed, and says so on each", async () => {
    const { host, user } = await openPhone();
    const form = within(await screen.findByRole("region", { name: "Delivery behavior" }));
    await user.click(form.getByRole("radio", { name: "Every phone" }));
    await user.click(form.getByRole("radio", { name: "Deliver slowly" }));
    await user.clear(form.getByRole("textbox", { name: "Pause between statuses" }));
    await user.type(form.getByRole("textbox", { name: "Pause between statuses" }), "30");
    await user.click(form.getByRole("button", { name: /^Apply to/ }));
    expect(requestOf(host, "save_phone_script")).toEqual({
      recipient: "*",
      script: { next: "slow", ms: 30_000, code: null, times: null, count: null },
    });
    expect(await screen.findByText("30 seconds between statuses. Until changed.")).toBeTruthy();
    await user.click(screen.getByRole("row", { name: "447700900123, no messages" }));
    expect(await screen.findByRole("figure", { name: "Phone 447700900123" })).toBeTruthy();
    expect(screen.getByText("30 seconds between statuses. Until changed.")).toBeTruthy();
  });

  it("says at its field what is refused", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_phone_script", () =>
      refusal({ code: "invalidInput", field: "script.times", message: "Between 2 and 20." }),
    );
    const { user } = renderApp("/phone", host);
    const form = within(await screen.findByRole("region", { name: "Delivery behavior" }));
    await user.click(form.getByRole("radio", { name: "Repeat statuses" }));
    await user.click(form.getByRole("button", { name: /^Apply to/ }));
    expect(await form.findByText("Between 2 and 20.")).toBeTruthy();
    expect(form.queryByRole("alert")).toBeNull();
  });
});

it("starts the sandbox over after a confirmation, with what was chosen", async () => {
  const host = createFakeHost({ templates: 40 });
  const { user } = renderApp("/phone", host);
  await user.click(await screen.findByRole("radio", { name: "Empty" }));
  await user.click(screen.getByRole("button", { name: "Start over…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Start the sandbox over?" }));
  expect(requestOf(host, "reset_sandbox")).toBeUndefined();
  await user.click(dialog.getByRole("button", { name: "Delete and start over" }));
  expect(await screen.findByText("The sandbox started over")).toBeTruthy();
  expect(requestOf(host, "reset_sandbox")).toEqual({ history: false });
});

it("explains itself outside the sandbox and leads there", async () => {
  const host = createFakeHost({ templates: 40 });
  const { preferences } = await host.call("get_bootstrap", {});
  await host.call("save_preferences", { ...preferences, workspace: "acme", notify: false });
  const { user } = renderApp("/phone", host);
  expect(await screen.findByText("Only the sandbox has phones")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Switch to Sandbox" }));
  expect(await screen.findByRole("figure", { name: "Phone 5511990001111" })).toBeTruthy();
});
