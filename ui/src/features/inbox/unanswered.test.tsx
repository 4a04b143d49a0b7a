import { createFakeHost } from "@test/fake-host";
import { conversationPage, MESSAGES } from "@test/fake-inbox";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { ContactRow, UnansweredMessage } from "@/bindings/app";

const MARIA = "/inbox?contact=5511990001111";
const field = () => screen.findByRole("textbox", { name: "Message to Maria Souza" });
const from = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Reply from" }).value;

/** A conversation of a workspace with a shop and a clinic. The person wrote to the shop last. */
async function createConversation(unanswered: UnansweredMessage[]) {
  const host = createFakeHost({ templates: 40 });
  const window = { lastInboundAt: NOW, openUntil: Date.now() + 3_600_000, clockOffset: 0 };
  const page = { messages: MESSAGES.slice(0, 1), name: "Maria Souza", window, number: "108001" };
  const answer = (waiting: UnansweredMessage[]) =>
    host.answer("list_conversation", () => conversationPage({ ...page, unanswered: waiting }));
  answer(unanswered);
  host.answer("get_service_window", () => window);
  const sandbox = await host.call("get_workspace", { workspace: "sandbox" });
  const numbers = ["Shop", "Clinic"].map((label, n) => ({ id: `10800${n + 1}`, label, wabaId: "", ownWebhook: false }));
  host.answer("get_workspace", () => ({ ...sandbox, settings: { ...sandbox.settings, numbers } }));
  return { host, answer };
}

it("says on which other number a message waits for an answer, and answers from there", async () => {
  const { host, answer } = await createConversation([{ number: "108002", at: Date.now() - 3_600_000 }]);
  const { user } = renderApp(MARIA, host);
  await field();
  expect(screen.getByText(/A message to Clinic is unanswered since/).textContent).toMatch(/since .*\d.*\./);
  // Also while a reply from the other number is being written, and after they wrote to that one again.
  await user.type(await field(), "It has left");
  answer([
    { number: "108001", at: Date.now() },
    { number: "108002", at: Date.now() - 3_600_000 },
  ]);
  host.emit({ type: "messageReceived", workspace: "sandbox", contact: "5511990001111" });
  expect(await screen.findByText(/A message to Clinic is unanswered/)).toBeTruthy();
  expect(screen.queryByText(/A message to Shop/)).toBeNull();
  expect(from()).toBe("From Shop");
  await user.click(screen.getByRole("button", { name: "Reply from Clinic" }));
  expect(from()).toBe("From Clinic");
  expect(document.activeElement).toBe(await field());
  expect(await screen.findByText(/A message to Shop is unanswered/)).toBeTruthy();
  await user.clear(await field());
});

it("says nothing where only the number that replies is asked, or one that is not ours", async () => {
  const { host } = await createConversation([{ number: "108001", at: NOW }, { at: NOW }]);
  renderApp(MARIA, host);
  await field();
  expect(screen.queryByText(/is unanswered since/)).toBeNull();
});

it("shows how long each person can still be answered freely", async () => {
  const host = createFakeHost({ templates: 40 });
  const [maria] = (await host.call("list_contacts", { workspace: "sandbox", people: "wrote", limit: 1 })).rows;
  const row = (name: string, left: number, clockOffset = 0): ContactRow => ({
    ...(maria as ContactRow),
    contact: name,
    name,
    window: { lastInboundAt: NOW, openUntil: Date.now() + left, clockOffset },
  });
  const [minute, hour] = [60_000, 3_600_000];
  const rows = [row("Ana", 3.5 * hour), row("Rui", 12.5 * minute), row("Lia", -minute), row("Ivo", hour, 2 * hour)];
  host.answer("list_contacts", () => ({ rows, next: null, numbers: [] }));
  renderApp("/inbox?people=unanswered", host);
  const of = async (name: string) => within(await screen.findByRole("row", { name: new RegExp(`^${name}`) }));
  expect((await of("Ana")).getByText("3 hr left").title).toBe("3 hr left to reply freely");
  expect((await of("Rui")).getByText("12 min left")).toBeTruthy();
  // By the clock of the provider it has closed for Ivo, too.
  for (const name of ["Lia", "Ivo"]) {
    expect((await of(name)).getByRole("img", { name: "Only templates arrive now" })).toBeTruthy();
  }
});

it("lists first whose time to answer ends first", async () => {
  const { host, user } = renderApp("/inbox?people=unanswered");
  await user.click(await screen.findByRole("checkbox", { name: "Ends first" }));
  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  expect([box("Ends first").checked, box("Unanswered").checked]).toEqual([true, true]);
  const asked = () => host.calls.filter(({ name }) => name === "list_contacts").at(-1)?.request;
  await waitFor(() => expect(asked()).toMatchObject({ people: "ending" }));
  expect(window.location.hash).toContain("people=ending");
  await user.click(box("Ends first"));
  await waitFor(() => expect(window.location.hash).toContain("people=unanswered"));
  await user.click(box("Unanswered"));
  expect(screen.queryByRole("checkbox", { name: "Ends first" })).toBeNull();
});

it("leads from a search that the filter leaves empty to all contacts", async () => {
  const { user } = renderApp("/inbox?people=unanswered&number=108002&q=Maria");
  await user.click(await screen.findByRole("link", { name: "Search all contacts" }));
  expect(await screen.findByRole("row", { name: /^Maria Souza/ })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Unanswered" }).checked).toBe(false);
});

it("takes a person who needs no answer out of the unanswered ones, and back", async () => {
  const { host, user } = renderApp("/inbox?people=unanswered");
  await user.click(await screen.findByRole("row", { name: /^Maria Souza/ }));
  await user.click(await screen.findByRole("button", { name: "Needs no answer" }));
  await waitFor(() => expect(screen.queryByRole("row", { name: /^Maria Souza/ })).toBeNull());
  expect(screen.getByRole("region", { name: "Conversation with Maria Souza" })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Needs no answer" })).toBeNull());
  const asked = () => host.calls.filter(({ name }) => name === "set_no_answer_until").map(({ request }) => request);
  const whom = { workspace: "sandbox", contact: "5511990001111" };
  expect(asked()).toEqual([{ ...whom, until: NOW - 4 * 60_000 }]);
  expect(await screen.findByText("Maria Souza is not in “Unanswered” until they write again.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("row", { name: /^Maria Souza/ })).toBeTruthy();
  expect(asked()[1]).toEqual({ ...whom, until: null });
  expect(await screen.findByRole("button", { name: "Needs no answer" })).toBeTruthy();
});
