import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { hasPunctuated, hasWords, isPunctuated } from "@/lib/words";
import { palette } from "./palette";

// Its state belongs to the page, not to what is rendered.
afterEach(() => palette.close());

const open = async (address = "/review", host = createFakeHost({ templates: 40 })) => {
  const app = renderApp(address, host);
  await screen.findByRole("heading", { level: 1 });
  await app.user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("textbox", { name: "Search and commands" });
  const type = (words: string) => app.user.clear(field).then(() => app.user.type(field, words));
  return { ...app, type };
};

describe("the palette", () => {
  it.each([
    ["batch", "New batch"],
    ["backup", /^Settings: storage and/],
    ["test send", "Test send"],
    ["send test", "Test send"],
    ["add workspace", "Add a workspace…"],
    ["spanish", "Language: Español"],
    ["Ana", /^Ana/],
    ["dark", "Theme: Dark"],
    ["shortcuts", "Keyboard shortcuts"],
  ])("finds %j", async (words, name) => {
    const { type } = await open();
    await type(words);
    expect((await screen.findAllByRole("button", { name })).length).toBeGreaterThan(0);
  });

  it("gives the focus back when it is closed", async () => {
    const { user } = renderApp("/review");
    const search = await screen.findByRole("searchbox");
    await user.click(search);
    // It is loaded a moment after the first screen.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Search and commands"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(search));
  });

  it("opens a conversation by the name of the contact", async () => {
    const { type, user } = await open();
    await type("Ana");
    await user.click((await screen.findAllByRole("button", { name: /^Ana.*Conversation/ }))[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toContain("#/inbox?contact="));
  });

  it("opens a draft by the words of its name and text", async () => {
    const host = createFakeHost({ templates: 40 });
    const row = { edits: null, wabaIds: [], isUnknown: false, updatedAt: 1 };
    host.answer("list_drafts", () => [
      { ...row, id: "d1", name: "spring_sale", language: "es", excerpt: "Todo florece" },
      { ...row, id: "d2", name: "autumn_sale", language: "es", excerpt: "Todo cae" },
    ]);
    const { type, user } = await open("/review", host);
    await type("florece spring");
    await user.click(await screen.findByRole("button", { name: /^spring_sale/ }));
    await waitFor(() => expect(window.location.hash).toContain("#/drafts/d1"));
  });

  it("opens the first hit with Enter, though it arrives after other rows", async () => {
    const host = createFakeHost({ templates: 40 });
    const contacts = await host.call("list_contacts", {
      workspace: "sandbox",
      search: "Jonas",
      people: "everyone",
      limit: 5,
    });
    let answer = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    host.answer("list_contacts", () => late.then(() => contacts));
    const { type, user } = await open("/review", host);
    await type("Jonas");
    // Those rows that only search are not there: Enter must not lead there.
    await waitFor(() => expect(host.calls.some(({ name }) => name === "list_contacts")).toBe(true));
    expect(screen.queryByRole("button", { name: /^Search templates/ })).toBeNull();
    answer();
    await screen.findByRole("button", { name: /^Search templates/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(window.location.hash).toContain("#/inbox?contact="));
  });

  it("names the accounts of a template in a workspace with several, and finds the batches of a template", async () => {
    const { type, user } = await open();
    await type("order_shipped");
    const templates = await screen.findAllByRole("button", { name: /^order_shipped/ });
    expect(templates[0]?.textContent).toMatch(/Retail|102290129340398/);
    await user.click(await screen.findByRole("button", { name: /^order_shipped.*pilot\.csv/ }));
    await waitFor(() => expect(window.location.hash).toBe("#/sends/batches/batch-old"));
  });

  it("shows nobody of the address book before the conversations, which come above them", async () => {
    const host = createFakeHost({ templates: 40 });
    const contacts = await host.call("list_contacts", {
      workspace: "sandbox",
      search: "Jonas",
      people: "everyone",
      limit: 5,
    });
    let answer = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    host.answer("list_contacts", () => late.then(() => contacts));
    const { type } = await open("/review", host);
    await type("Jonas");
    await waitFor(() => expect(host.calls.some(({ name }) => name === "list_recipients")).toBe(true));
    expect(screen.queryByRole("button", { name: /^Jonas Weber/ })).toBeNull();
    answer();
    await screen.findByRole("button", { name: /^Jonas Weber.*Sent to this person/ });
    const names = within(screen.getByRole("dialog"))
      .getAllByRole("button", { name: /^Jonas/ })
      .map(({ textContent }) => textContent);
    expect(names.findIndex((name) => name?.includes("Sent to this person"))).toBe(names.length - 1);
  });

  it("keeps the entry that was moved to when rows come above it", async () => {
    const host = createFakeHost({ templates: 40 });
    const { user, type } = await open("/review", host);
    await type("Jonas");
    await screen.findByRole("button", { name: /^Search templates/ });
    const selected = () =>
      within(screen.getByRole("dialog"))
        .getAllByRole("button")
        .filter((row) => row.dataset.selected === "true")
        .map(({ textContent }) => textContent);
    while (!selected()[0]?.includes("Sent to this person")) await user.keyboard("{ArrowDown}");
    const contact = { contact: "5511900001111", formatted: "+55 11 90000-1111", name: "Jonas Almeida", excerpt: "Olá" };
    const { rows, ...page } = await host.call("list_contacts", {
      workspace: "sandbox",
      search: "Jonas",
      people: "everyone",
      limit: 5,
    });
    const [first] = rows;
    if (!first) throw new Error("nobody wrote");
    host.answer("list_contacts", () => ({ ...page, rows: [{ ...first, ...contact }, ...rows] }));
    host.emit({ type: "messagesReceived", workspace: "sandbox" });
    await screen.findByRole("button", { name: /^Jonas Almeida/ });
    expect(selected()).toEqual([expect.stringContaining("Sent to this person")]);
  });

  it("selects a row for words that are found nowhere", async () => {
    const { type } = await open();
    await type("Ana");
    await screen.findAllByRole("button", { name: /^Ana.*Conversation/ });
    await type("zzzz");
    const search = await screen.findByRole("button", { name: /Templates.*zzzz|zzzz.*templates/i });
    expect(search.dataset.selected).toBe("true");
  });

  it("keeps the row that was moved to", async () => {
    const { type, user } = await open();
    await type("settings");
    const rows = () => within(screen.getByRole("dialog")).getAllByRole("button");
    await waitFor(() => expect(rows().some(({ textContent }) => textContent?.includes("Search"))).toBe(true));
    await user.keyboard("{ArrowDown}");
    expect(rows().findIndex((row) => row.dataset.selected === "true")).toBe(1);
  });

  it("opens the sends to a known person by the number with its country code", async () => {
    const { type, user, host } = await open();
    await type("Jonas");
    await user.click(await screen.findByRole("button", { name: /^Jonas Weber.*Sent to this person/ }));
    const asked = () => host.calls.filter(({ name }) => name === "list_sends").map(({ request }) => request);
    await waitFor(() => expect(asked()).toContainEqual(expect.objectContaining({ recipient: "+5511990022221" })));
  });

  it("copies the link to a template, which other pages do not have", async () => {
    const { type, user } = await open("/templates/5f3b8f0e-0000-4000-8000-000000000000");
    await type("copy link");
    await user.click(await screen.findByRole("button", { name: "Copy link to this page" }));
    const link = "template-desk://templates/5f3b8f0e-0000-4000-8000-000000000000?workspace=sandbox";
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(link));
  });

  it("offers first what was chosen last", async () => {
    const { type, user } = await open();
    await type("pricing");
    await user.click(await screen.findByRole("button", { name: "Insights: pricing" }));
    await waitFor(() => expect(window.location.hash).toBe("#/insights?tab=pricing"));
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("textbox", { name: "Search and commands" });
    const [first] = within(screen.getByRole("dialog")).getAllByRole("button");
    expect(first?.textContent).toContain("Insights: pricing");
  });

  it("opens while a field has the focus", async () => {
    const { user } = renderApp("/templates");
    await user.click(await screen.findByRole("searchbox", { name: "Search names and texts" }));
    await user.keyboard("{Control>}k{/Control}");
    expect(await screen.findByRole("textbox", { name: "Search and commands" })).toBeDefined();
  });
});

it("finds words in any order, without accents and by their beginnings", () => {
  expect(hasWords("Envío de prueba", "prueba envio")).toBe(true);
  expect(hasWords("Envío de prueba", "prueba lote")).toBe(false);
  expect(hasWords("Anything", "")).toBe(true);
});

it("finds words with punctuation as they were typed", () => {
  expect(isPunctuated("summer_sale 20")).toBe(false);
  expect(hasPunctuated("bouquets: Bring them home", "<b>")).toBe(false);
  expect(hasPunctuated("bouquets: <B>Bring</B> them home", "<b>")).toBe(true);
  expect(hasPunctuated("greeting Olá", "!")).toBe(false);
  expect(hasPunctuated("greeting Olá", "olá")).toBe(true);
});
