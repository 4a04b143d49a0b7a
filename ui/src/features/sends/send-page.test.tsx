import { createFakeHost } from "@test/fake-host";
import { NOW, SENDS } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DeskError, SendDetail } from "@/bindings/app";
import { call, connectHost } from "@/lib/ipc/client";

/** The page of a send as the fake host has it, with these differences. */
async function detail(send: string, change: Partial<SendDetail>): Promise<SendDetail> {
  connectHost(createFakeHost({ templates: 40 }));
  return { ...(await call("get_send", { send })), ...change };
}

async function open(send: string, change: Partial<SendDetail>) {
  const answer = await detail(send, change);
  const host = createFakeHost({ templates: 40 });
  host.answer("get_send", () => answer);
  return renderApp(`/sends/${send}`, host);
}

const idOf = (state: string) => SENDS.find((row) => row.state === state)?.id ?? "";

describe("a send's page", () => {
  it("shows the status timeline in the order of the channel, with repeated and late statuses", async () => {
    await open(idOf("read"), {});
    const story = within(await screen.findByRole("region", { name: "Delivery status" }));
    const words = ["Sent from this computer", "Accepted by the provider (200)", "Sent", "Read", "Delivered"];
    const places = words.map((word) => story.getByText(word));
    for (const [place, element] of places.slice(1).entries()) {
      const before = places[place] as HTMLElement;
      expect(before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    }
    expect(story.getByText("Received 3 times")).toBeTruthy();
    expect(story.getByText("Late")).toBeTruthy();
    expect(story.queryByText(/Charged/)).toBeNull();
  });

  it("leads with the message, names the number, and says the price once", async () => {
    await open(idOf("read"), {});
    const phone = await screen.findByRole("figure", { name: "Phone preview" });
    expect(within(phone).getByText("Message of summer_sale_2026")).toBeTruthy();
    expect(await within(phone).findByText("Main number")).toBeTruthy();
    const facts = within(screen.getByRole("region", { name: "Message" }));
    expect(facts.getByText("Charged · Marketing · Per message · Standard rate")).toBeTruthy();
    expect(facts.getByText("Main number (108001)")).toBeTruthy();
    expect(facts.getByText(/summer_sale_2026 · English \(United States\)/)).toBeTruthy();
  });

  it("says of a message that failed that it is not charged, and keeps what was reported in the details", async () => {
    await open(idOf("failed"), {});
    const facts = within(await screen.findByRole("region", { name: "Message" }));
    expect(facts.getByText("Not delivered, so not charged")).toBeTruthy();
    expect(facts.queryByText(/^Charged/)).toBeNull();
    const statuses = within(screen.getByRole("region", { name: "Statuses received", hidden: true }));
    expect(statuses.getByText(/^Charged/)).toBeTruthy();
  });

  it("explains a message that is only sent for longer than a day, whose price is not certain yet", async () => {
    const { row, timeline } = await detail(idOf("sent"), {});
    const price = { charged: true, model: "PMP", type: "regular", category: "marketing" };
    const sentAt = (at: number) => ({
      timeline: timeline.slice(0, 1).map((entry) => ({ ...entry, at })),
      pricing: price,
    });
    const { unmount } = await open(row.id, sentAt(Date.now() - 3_600_000));
    expect(await screen.findByText(/Waiting for the next status/)).toBeTruthy();
    expect(screen.getByText(/^Charged when delivered · Marketing/)).toBeTruthy();
    unmount();
    await open(row.id, sentAt(Date.now() - 25 * 3_600_000));
    expect(await screen.findByText(/may be off or without network.*for up to 30 days.*arrive twice/)).toBeTruthy();
    expect(screen.queryByText(/Waiting for the next status/)).toBeNull();
  });

  it("leads to the events of the message, or of the person while its identifier is not known", async () => {
    const href = async () => (await screen.findByRole("link", { name: "Open Activity" })).getAttribute("href");
    const { unmount } = await open(idOf("sent"), { messageId: "wamid.HBgM" });
    expect(await href()).toContain("/activity?q=wamid.HBgM");
    unmount();
    await open(idOf("sent"), { messageId: null });
    expect(await href()).toMatch(/\/activity\?contact=.*447700900123/);
  });

  it("says of a message that did not leave that sending it was tried", async () => {
    const { row } = await detail(idOf("refused"), {});
    await open(row.id, { row: { ...row, notSent: { code: "offline", reason: "connection refused" } }, timeline: [] });
    const story = within(await screen.findByRole("region", { name: "Delivery status" }));
    expect(story.getByText("Send attempt from this computer")).toBeTruthy();
    expect(story.getByText("Not sent")).toBeTruthy();
    expect(story.queryByText("Sent from this computer")).toBeNull();
  });

  it("says of a rejection that passes nothing else than its explanation", async () => {
    await open(idOf("refused"), {
      error: { code: "service", status: 503, errorCode: "131000", message: "Busy", body: "{}" },
      explanation: { code: "131000", known: true, retry: "yes", message: "…" },
      timeline: [],
    });
    const story = within(await screen.findByRole("region", { name: "Delivery status" }));
    expect(story.getByText("Send attempt from this computer")).toBeTruthy();
    expect(story.queryByText("Sent from this computer")).toBeNull();
    expect(screen.getByText(/Yes, after a short pause/)).toBeTruthy();
    expect(screen.queryByText(/to see what to change/)).toBeNull();
  });

  it("leads to the phone of the sandbox, unless nothing left", async () => {
    const { unmount } = await open(idOf("read"), {});
    const link = await screen.findByRole("link", { name: "See it on the phone" });
    expect(link.getAttribute("href")).toContain("/phone?recipient=");
    unmount();
    await open(idOf("refused"), {});
    await screen.findByRole("button", { name: "Send again" });
    expect(screen.queryByRole("link", { name: "See it on the phone" })).toBeNull();
  });

  it("leads to no phone where the recipient has none in the sandbox", async () => {
    const { host } = await open(idOf("failed"), {});
    await screen.findByRole("button", { name: "Send again" });
    await waitFor(() => expect(host.calls.some(({ name }) => name === "list_phones")).toBe(true));
    await screen.findByRole("region", { name: "Delivery status" });
    expect(screen.queryByRole("link", { name: "See it on the phone" })).toBeNull();
  });

  it("folds away what engineers look up", async () => {
    const { user } = await open(idOf("read"), {});
    const summary = await screen.findByText("Technical details");
    const details = summary.closest("details") as HTMLDetailsElement;
    expect(details.open).toBe(false);
    await user.click(summary);
    expect(details.open).toBe(true);
    const statuses = within(within(details).getByRole("region", { name: "Statuses received" }));
    expect(statuses.getByText("c-77")).toBeTruthy();
    expect(statuses.getAllByRole("link", { name: "Open event" })[0]?.getAttribute("href")).toContain("event=event-1");
  });

  it("decodes the callback data, marks what is ours, and says whether it came back unchanged", async () => {
    await open(idOf("read"), {});
    const card = within(await screen.findByRole("region", { name: "Callback data" }));
    expect(card.getByText("our tracking").closest("dd")?.textContent).toContain("9f2c6d01aa77be40");
    expect(card.getByText("1234")).toBeTruthy();
    expect(card.getByText("3 statuses returned it unchanged.")).toBeTruthy();
  });

  it("says when the callback data came back changed", async () => {
    const { timeline } = await detail(idOf("read"), {});
    await open(idOf("read"), {
      timeline: timeline.map((entry, place) => (place === 1 ? { ...entry, callbackData: "{}" } : entry)),
    });
    expect(await screen.findByText(/1 status returned it changed/)).toBeTruthy();
    expect(screen.getByText(/^Callback data came back changed/)).toBeTruthy();
  });

  it("explains a rejection next to the provider's message", async () => {
    await open(idOf("refused"), {
      error: { code: "service", status: 400, errorCode: "132000", message: "Parameters differ", body: "{}" },
      explanation: { code: "132000", known: true, retry: "no", message: "…" },
      timeline: [],
    });
    expect(await screen.findByText("Parameters differ")).toBeTruthy();
    const why = within(screen.getByRole("region", { name: "Why it was rejected" }));
    expect(why.getByText("The number of parameters doesn't match the template.")).toBeTruthy();
    expect(why.getByText("Give one value for each variable.")).toBeTruthy();
  });

  it("names the setting that makes a message fail, and leads to its field", async () => {
    await open(idOf("refused"), {
      error: { code: "service", status: 400, errorCode: "100", message: "(#100) Invalid parameter", body: "{}" },
      explanation: { code: "100", known: true, retry: "no", message: "…", setting: "messagingProduct" },
      timeline: [],
    });
    const why = within(await screen.findByRole("region", { name: "Why it was rejected" }));
    expect(why.getByText(/Set “Messaging product” to whatsapp in Settings\./)).toBeTruthy();
    expect(why.getByRole("link", { name: "Open the field" }).getAttribute("href")).toContain("field=messagingProduct");
    const notice = within(screen.getByRole("alert"));
    expect(notice.queryByText(/Read the message from the provider/)).toBeNull();
  });

  it("waits for a rate limit until it is cancelled, and offers no second send meanwhile", async () => {
    const { row } = await detail(idOf("refused"), {});
    const until = Date.now() + 20_000;
    const { host, user } = await open(row.id, { row: { ...row, retryAt: until } });
    await user.click(await screen.findByRole("button", { name: "Don't send" }));
    expect(host.calls.some(({ name, request }) => name === "cancel_send" && "send" in request)).toBe(true);
    expect(screen.queryByRole("button", { name: "Send again" })).toBeNull();
  });

  it("says from when sending again helps", async () => {
    const error: DeskError = { code: "rateLimited", retryAfter: 600, errorCode: null };
    await open(idOf("refused"), { error, explanation: null, retryHelpsAt: NOW + 600_000 });
    // Not in the notice, whose margins are those of a page.
    const helps = await screen.findByText(/It can be sent again from/);
    expect(helps.parentElement).toBe(screen.getByRole("region", { name: "Delivery status" }).parentElement);
    expect(screen.getByRole("button", { name: "Send again" })).toBeTruthy();
  });

  it("explains an answer that never came, and sends nothing by itself", async () => {
    const cause: DeskError = { code: "service", status: 503, message: "Busy", body: "" };
    const { row } = await detail(idOf("unknown"), {});
    const { host } = await open(idOf("unknown"), {
      row: { ...row, recipient: "5511990001111" },
      timeline: [],
      responseStatus: 503,
      response: null,
      error: { code: "outcomeUnknown", cause },
    });
    expect(await screen.findByText(/we never send the message again automatically/)).toBeTruthy();
    expect(screen.getByText("Busy")).toBeTruthy();
    expect(screen.queryByText(/try again/i)).toBeNull();
    expect(
      screen.getByRole("link", { name: "Check Activity for a status of this message." }).getAttribute("href"),
    ).toContain("contact=");
    expect(await screen.findByRole("link", { name: "Check the sandbox phone." })).toBeTruthy();
    expect(host.calls.some(({ name }) => name === "send_template")).toBe(false);
  });

  it("shows request, answer and command as they were", async () => {
    const { user } = await open(idOf("read"), {});
    expect(await screen.findByText(/POST https:\/\/provider\.example/)).toBeTruthy();
    await user.click(screen.getByRole("tab", { name: "Provider's response (200)" }));
    expect(screen.getByRole("group", { name: "Provider's response" }).textContent).toContain("wamid.HBgM");
    await user.click(screen.getByRole("tab", { name: "curl" }));
    expect(screen.getByRole("group", { name: "curl" }).textContent).toContain("$TDESK_TOKEN");
  });

  it("links answers to the conversation and to their events", async () => {
    await open(idOf("read"), { replies: [{ event: "event-3", at: NOW, kind: "button", text: "Remind me later" }] });
    const answers = within(await screen.findByRole("region", { name: "Replies to this message" }));
    expect(answers.getByText("Remind me later")).toBeTruthy();
    expect(answers.getByRole("link", { name: "Open conversation" }).getAttribute("href")).toContain("/inbox?contact=");
    expect(answers.getByRole("link", { name: "Open event" }).getAttribute("href")).toContain("event=event-3");
  });

  it("names replies without a text, and deleted ones", async () => {
    const replies: SendDetail["replies"] = [
      { event: "e1", at: NOW, kind: "revoke", text: "", deletedAt: NOW + 60_000 },
      { event: "e2", at: NOW, kind: "sticker", text: "" },
      { event: "e3", at: NOW, kind: "text", text: "" },
    ];
    await open(idOf("read"), { replies });
    const answers = await screen.findByRole("region", { name: "Replies to this message" });
    const shown = within(answers)
      .getAllByRole("listitem")
      .map((reply) => reply.querySelector("p")?.textContent);
    expect(shown).toEqual(["Deleted message", "Sticker", "Message without text"]);
  });

  it("fills the form with the same values, and gives back what was typed there before", async () => {
    const reference = "5f3b8f0e-0000-4000-8000-000000000012";
    const { again } = await detail(idOf("read"), {});
    const variable = () => screen.findByLabelText<HTMLTextAreaElement>(/Variable \{\{1\}\}/);
    const before = renderApp(`/sends/new?reference=${reference}`, createFakeHost({ templates: 40 }));
    await before.user.type(await variable(), "Zoe");
    before.unmount();
    const { user } = await open(idOf("read"), { again: again ? { ...again, reference } : null });
    await user.click(await screen.findByRole("button", { name: "Send again" }));
    expect((await variable()).value).toBe("Ana");
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Recipient/ }).value).toBe("5511990001111");
    await user.click(screen.getByRole("button", { name: "Restore it" }));
    expect((await variable()).value).toBe("Zoe");
    expect(screen.queryByRole("button", { name: "Restore it" })).toBeNull();
  });

  it("fills the form of free texts", async () => {
    const { user } = await open(idOf("read"), {
      again: null,
      againText: {
        workspace: "sandbox",
        number: "108001",
        to: "5511990001111",
        text: "Good morning",
        previewUrl: true,
        callbackData: "",
        track: false,
        exactCallback: false,
        overrides: [],
      },
    });
    await user.click(await screen.findByRole("button", { name: "Send again" }));
    expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ })).value).toBe("Good morning");
    expect(screen.getByRole("switch", { name: /^Track this send/ })).toHaveProperty("checked", false);
  });

  it("says why it cannot be repeated where its values are not known", async () => {
    const { user } = await open(idOf("read"), { again: null });
    const button = await screen.findByRole("button", { name: "Send again" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    const before = window.location.hash;
    await user.click(button);
    expect(window.location.hash).toBe(before);
  });

  it("follows what happens", async () => {
    const host = createFakeHost({ templates: 40 });
    const first = await detail(idOf("accepted"), { timeline: [] });
    const [entry] = (await detail(idOf("read"), {})).timeline;
    let answer = first;
    host.answer("get_send", () => answer);
    renderApp(`/sends/${idOf("accepted")}`, host);
    expect(await screen.findByText(/Waiting for the next status/)).toBeTruthy();
    answer = { ...first, row: { ...first.row, state: "delivered" }, timeline: entry ? [entry] : [] };
    host.emit({ type: "sendUpdated", workspace: "sandbox", id: first.row.id, state: "delivered" });
    await waitFor(() => expect(screen.queryByText(/Waiting for the next status/)).toBeNull());
  });
});
