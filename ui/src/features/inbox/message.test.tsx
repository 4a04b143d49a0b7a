import { createFakeHost, refusal } from "@test/fake-host";
import { conversationPage } from "@test/fake-inbox";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ConversationMessage, MediaFile } from "@/bindings/app";
import { groupsOf } from "./facts";

const MARIA = "/inbox?contact=5511990001111";

/** The article that says `words`. */
const articleOf = async (words: string) => {
  const articles = await screen.findAllByRole("article");
  return within(articles.find(({ textContent }) => textContent?.includes(words)) as HTMLElement);
};

const rowsOf = (list: HTMLElement) =>
  [...list.querySelectorAll("dl > div")].map((row) => [
    row.querySelector("dt")?.textContent,
    row.querySelector("dd > :first-child")?.textContent,
  ]);

const show = (message: Partial<ConversationMessage>, file?: Partial<MediaFile>) => {
  const host = createFakeHost({ templates: 40 });
  const plain = { id: "m", outgoing: false, at: 1, kind: "text", text: "", facts: [], reactions: [], event: "event-1" };
  host.answer("list_conversation", () => conversationPage({ messages: [{ ...plain, ...message }] }));
  if (file) {
    host.answer("get_media", () => ({
      mime: "image/png",
      bytes: 9 * 1024 * 1024,
      fileName: "m.png",
      sha256: "absent",
      state: "ok",
      cached: false,
      ...file,
    }));
  }
  return renderApp(MARIA, host);
};

describe("kinds of messages", () => {
  it("a location, with a map to open", async () => {
    const { host, user } = renderApp(MARIA);
    const place = await articleOf("Praça da Sé");
    expect(rowsOf(place.getByText("Address").closest("dl")?.parentElement as HTMLElement)).toEqual([
      ["Address", "Sé, São Paulo"],
      ["Latitude", "-23.5503"],
      ["Longitude", "-46.6339"],
    ]);
    await user.click(place.getByRole("button", { name: /^Open in maps/ }));
    expect(host.calls.at(-1)).toMatchObject({
      name: "open_link",
      request: { url: "https://www.openstreetmap.org/?mlat=-23.5503&mlon=-46.6339" },
    });
  });

  it("contact cards and items of an order, each by itself", async () => {
    renderApp(MARIA);
    const cards = await articleOf("Ana Lima, Rui Costa");
    const second = cards.getByText("Rui Costa").closest("dl") as HTMLElement;
    expect(rowsOf(second.parentElement as HTMLElement).slice(2)).toEqual([
      ["Name", "Rui Costa"],
      ["Email", "rui@example.com"],
    ]);
    expect(within(second).queryByText("Ana Lima")).toBeNull();
    const order = await articleOf("Gift-wrapped, please");
    expect(order.getByText("boots-42").closest("dl")?.textContent).toContain("89.9 EUR");
    expect(order.getByText("socks").closest("dl")?.textContent).not.toContain("4711");
  });

  it("a form, with our labels translated and its own as they are", async () => {
    renderApp(MARIA);
    const form = await articleOf("shoe_size");
    expect(form.getByText("Form")).toBeTruthy();
    expect(form.getByText("Expires").parentElement?.querySelector("time")).not.toBeNull();
  });

  it("what the channel does not hand over, explained", async () => {
    renderApp(MARIA);
    const unsupported = await articleOf("Unsupported message");
    expect(unsupported.getByText(/send it in another form/)).toBeTruthy();
    expect(unsupported.getByText("131051")).toBeTruthy();
  });

  it("an unknown kind, with the whole message", async () => {
    renderApp(MARIA);
    const unknown = await articleOf("hologram");
    expect(unknown.getByRole("group", { name: "Original message" }).textContent).toContain('"depth": 3');
  });

  it("reactions, on their own and to a message", async () => {
    renderApp(MARIA);
    expect(
      (await articleOf("Is it also available in blue? 💙")).getByRole("list", { name: "Reactions" }).textContent,
    ).toContain("👍");
    expect((await articleOf("❤️")).getByText("Reaction")).toBeTruthy();
  });

  it("an edited text, with the word apart from the time, and one without a text", async () => {
    show({ text: "Rose street 14", editedAt: 2 });
    expect((await articleOf("Rose street 14")).getByText("Edited").parentElement?.textContent).toMatch(/^Edited · \d/);
    show({ editedAt: 2 });
    expect(await articleOf("Message without text")).toBeTruthy();
  });

  it("a deleted message, and when it was deleted", async () => {
    show({ kind: "revoke", deletedAt: 2_000 });
    const words = await screen.findByText("Deleted message");
    expect(words.title).toBe(new Date(2_000).toLocaleString());
  });

  it("a reaction that was taken back, and one of ours of which only statuses are known", async () => {
    show({ kind: "reaction" });
    expect(await screen.findByText("The contact removed this reaction.")).toBeTruthy();
    show({ id: "o", kind: "", outgoing: true, state: "delivered", event: null });
    expect(await screen.findByText("We don't have the content of this message")).toBeTruthy();
  });

  it("an edited text, with a mark that says when it was edited", async () => {
    show({ text: "Rose street 14", editedAt: 2 });
    expect((await articleOf("Rose street 14")).getByText("Edited").title).toContain("1970");
  });

  it("a deleted message as deleted, without its data", async () => {
    show({ kind: "revoke", deletedAt: 2 });
    expect((await articleOf("Deleted message")).queryByText("Original message")).toBeNull();
  });

  it("hostile text as text", async () => {
    const hostile = '<img src=x onerror="alert(1)">';
    const { container } = show({ text: hostile, facts: [{ label: hostile, value: hostile }] });
    expect((await screen.findAllByText(hostile)).length).toBe(3);
    expect(container.querySelector("article img")).toBeNull();
  });
});

describe("files", () => {
  it("shows a picture by itself, and warns where it is not the one that was announced", async () => {
    renderApp(MARIA);
    const picture = await articleOf("My order arrived like this");
    expect((await picture.findByRole("img", { name: "m-image.svg" })).getAttribute("src")).toMatch(/^data:image/);
    expect(picture.queryByText(/SHA-256/)).toBeNull();
    expect(await screen.findByRole("img", { name: "sticker.svg" })).toBeTruthy();
    expect(screen.getByText(/Checksum \(SHA-256\) doesn't match/)).toBeTruthy();
  });

  it("plays a voice message on request", async () => {
    const { host, user } = renderApp(MARIA);
    const voice = await articleOf("Voice message");
    const fetched = () =>
      host.calls.some(
        ({ name, request }) => name === "get_media" && "event" in request && request.event === "event-28",
      );
    expect(fetched()).toBe(false);
    await user.click(voice.getByRole("button", { name: "Load and play Audio" }));
    await waitFor(() => expect(document.querySelector("audio")?.getAttribute("src")).toMatch(/^blob:/));
    expect(fetched()).toBe(true);
    document.querySelector("audio")?.dispatchEvent(new Event("error"));
    expect(await voice.findByText(/can't play this file here/)).toBeTruthy();
  });

  it("explains an expired file, and requests it again on demand", async () => {
    const { host, user } = renderApp(MARIA);
    const film = await articleOf("Video");
    await user.click(film.getByRole("button", { name: "Load and play Video" }));
    const outcome = within(await film.findByRole("note"));
    expect(outcome.getByText("The file has expired")).toBeTruthy();
    expect(outcome.getByText("The address answered 404.")).toBeTruthy();
    expect(outcome.getByText(/Ask the contact to send it again/)).toBeTruthy();
    const before = host.calls.filter(({ name }) => name === "get_media").length;
    await user.click(outcome.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(host.calls.filter(({ name }) => name === "get_media").length).toBe(before + 1));
  });

  it("says that a message names no address", async () => {
    renderApp(MARIA);
    expect(await screen.findByText(/The webhook has no URL for this file/)).toBeTruthy();
  });

  it("saves a document, and reports its path and whether its hash matches", async () => {
    const { host, user } = renderApp(MARIA);
    const document = await articleOf("invoice-10482.pdf");
    expect(
      host.calls.some(
        ({ name, request }) => name === "get_media" && "event" in request && request.event === "event-18",
      ),
    ).toBe(false);
    await user.click(document.getByRole("button", { name: "Save invoice-10482.pdf…" }));
    const status = await document.findByRole("status");
    await waitFor(() => expect(status.firstChild?.textContent).toBe("Received completely and saved"));
    const details = within(status).getByText("Details").closest("details") as HTMLElement;
    expect(details.textContent).toContain("/home/ana/Downloads/invoice-10482.pdf");
    expect(details.textContent).toContain("Checksum (SHA-256) matches");
    expect(details).toHaveProperty("open", false);
    expect(host.calls.find(({ name }) => name === "save_media")?.request).toEqual({
      workspace: "sandbox",
      event: "event-18",
      withToken: true,
      confirmedHost: null,
    });
  });

  it("warns before it saves a file that can run", async () => {
    const media = { kind: "document", mime: "", fileName: "virus.exe", canRun: true, source: "permanent" } as const;
    const { host, user } = show({ kind: "document", media });
    const saves = () => host.calls.filter(({ name }) => name === "save_media").length;
    const save = await screen.findByRole("button", { name: "Save virus.exe…" });
    await user.click(save);
    const warning = () => within(screen.getByRole("alert"));
    expect(warning().getByText("This file can run a program")).toBeTruthy();
    await user.click(warning().getByRole("button", { name: "Cancel" }));
    expect([screen.queryByRole("alert"), saves()]).toEqual([null, 0]);
    await user.click(save);
    await user.click(warning().getByRole("button", { name: "Save anyway" }));
    await waitFor(() => expect(saves()).toBe(1));
    expect(await screen.findByText(/^Received completely|^Saved$/)).toBeTruthy();
  });

  it("says nothing when saving is given up, and says why it fails", async () => {
    const { host, user } = renderApp(MARIA);
    host.answer("save_media", () => null);
    const document = await articleOf("invoice-10482.pdf");
    const save = document.getByRole("button", { name: "Save invoice-10482.pdf…" });
    await user.click(save);
    await waitFor(() => expect(host.calls.some(({ name }) => name === "save_media")).toBe(true));
    expect(document.queryByRole("status")).toBeNull();
    host.answer("save_media", () => refusal({ code: "file", name: "invoice.pdf", reason: "no room left" }));
    await user.click(save);
    expect(await document.findByText(/no room left/)).toBeTruthy();
  });

  it("was not sent if the provider could not be reached, and nobody rejected it", async () => {
    const notSent = { code: "offline", reason: "connection refused" } as const;
    show({ outgoing: true, text: "On its way", state: "refused", send: "send-1", notSent });
    const article = await articleOf("On its way");
    expect(await article.findByText("Not sent")).toBeTruthy();
    expect(article.getByText(/We can't reach your provider/)).toBeTruthy();
    expect(article.queryByText("Why it failed")).toBeNull();
    expect(article.getByRole("link", { name: /Send again/ })).toBeTruthy();
  });

  it("was not sent if the provider rejected the credentials, with what to do about it", async () => {
    const notSent = { code: "unauthorized", message: "Token expired", details: "", body: "" } as const;
    show({ outgoing: true, text: "On its way", state: "refused", send: "send-1", notSent });
    const article = await articleOf("On its way");
    const why = within((await article.findByText("Why, and what to do")).closest("details") as HTMLElement);
    expect(why.getByText("Token expired")).toBeTruthy();
    expect(why.getByText(/Check the token and the workspace UUID in Settings/)).toBeTruthy();
    expect(why.getByRole("link", { name: "Open settings", hidden: true }).getAttribute("href")).toContain("/settings");
  });

  it("says that a picture is too large to be shown", async () => {
    show(
      { kind: "image", media: { kind: "image", mime: "image/png", canRun: false, source: "permanent" } },
      { dataUrl: null },
    );
    expect(await screen.findByText(/too large to show here \(9 MB\)/)).toBeTruthy();
  });

  it("asks before the token is sent for a file, and names a host that has not had it", async () => {
    const tokenHost = "https://files.example.com";
    const { host, user } = show(
      { kind: "image", media: { kind: "image", mime: "image/png", canRun: false, source: "temporary" } },
      { state: "needsToken", tokenHost, bytes: 0 },
    );
    const note = within(await screen.findByRole("note"));
    expect(note.getByText(/https:\/\/files\.example\.com/)).toBeTruthy();
    const requests = () => host.calls.filter(({ name }) => name === "get_media").map(({ request }) => request);
    expect(requests()).toMatchObject([{ event: "event-1", withToken: false }]);
    host.answer("get_media", ({ confirmedHost }) =>
      confirmedHost === tokenHost
        ? { mime: "image/png", bytes: 4, fileName: "m.png", sha256: "matches", state: "ok", cached: false }
        : refusal({ code: "mediaHostUnconfirmed", host: tokenHost }),
    );
    await user.click(note.getByRole("button", { name: "Load file" }));
    const question = within(await screen.findByRole("alert"));
    expect(question.getByText("Send the workspace's token to this server?")).toBeTruthy();
    await user.click(question.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Load file" }));
    await user.click(await screen.findByRole("button", { name: "Send token and load" }));
    await waitFor(() => expect(requests().at(-1)).toMatchObject({ withToken: true, confirmedHost: tokenHost }));
  });

  it("never shows as a picture what is none", async () => {
    const { container } = show(
      { kind: "image", media: { kind: "image", mime: "image/png", canRun: false, source: "permanent" } },
      { dataUrl: "data:text/html,<script>alert(1)</script>" },
    );
    expect(await screen.findByText(/9 MB/)).toBeTruthy();
    expect(container.querySelector("article img")).toBeNull();
  });
});

it("parts facts where a card or an item begins", () => {
  const facts = (labels: string) => labels.split(" ").map((label) => ({ label, value: label }));
  const labels = (kind: string, names: string) =>
    groupsOf(kind, facts(names)).map((group) => group.map(({ label }) => label).join(" "));
  expect(labels("contacts", "name phone name")).toEqual(["name phone", "name"]);
  expect(labels("order", "product price product catalog")).toEqual(["product price", "product", "catalog"]);
  expect(labels("interactive", "name product")).toEqual(["name product"]);
  expect(groupsOf("text", [])).toEqual([]);
});
