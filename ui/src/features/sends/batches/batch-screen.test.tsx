import { NO_GROUPS } from "@test/fake-batch-people";
import { createFakeHost, type FakeHost } from "@test/fake-host";
import { NOW } from "@test/fixtures";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Batch, BatchDetail } from "@/bindings/app";
import type { CommandName } from "@/lib/ipc/host";
import { ROW_STATES } from "./counts";

const OLD = "/sends/batches/batch-old";
const asked = (host: FakeHost, name: CommandName) => host.calls.filter((call) => call.name === name);

/** A host whose batch is as `change` says, from now on. */
async function hostWith(change: Partial<Batch>): Promise<FakeHost> {
  const host = createFakeHost({ templates: 40 });
  const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
  host.answer("get_batch", () => ({ ...detail, batch: { ...detail.batch, ...change } }));
  return host;
}

describe("the page of a batch", () => {
  it("shows its progress, and filters rows by the state in the address", async () => {
    const { host, user } = renderApp(OLD);
    const bar = await screen.findByRole("progressbar", { name: "Progress of the batch" });
    expect(bar.getAttribute("aria-valuetext")).toBe("22 of 40 rows done");
    await user.click(screen.getByRole("button", { name: "Failed 2" }));
    await waitFor(() => expect(window.location.hash).toContain("state=failed"));
    await waitFor(() => expect(screen.queryByRole("row", { name: /Delivered/ })).toBeNull());
    expect(await screen.findByRole("row", { name: /^Row 20, .*Failed, Message undeliverable/ })).toBeTruthy();
    expect(asked(host, "get_batch").at(-1)?.request).toMatchObject({ batch: "batch-old", state: "failed" });
    await user.click(screen.getAllByRole("row", { name: /Failed/ })[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sends\/send-/));
  });

  it("shows a name, its number and how that was written in two lines", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    const [row] = detail.rows;
    if (!row) throw new Error("the batch has no rows");
    const rows = [{ ...row, name: "Ana Lima", formatted: "+55 11 99000-1111", written: "(11) 99000-1111" }];
    host.answer("get_batch", () => ({ ...detail, rows, next: null }));
    renderApp(OLD, host);
    const line = await screen.findByText("+55 11 99000-1111 · Written as (11) 99000-1111");
    expect(line.parentElement?.childElementCount).toBe(2);
  });

  it("says that a template became more expensive instead of an error", async () => {
    const error = { code: "invalidInput", field: "template", message: "(template.categoryRaised)" } as const;
    renderApp(OLD, await hostWith({ state: "interrupted", categoryRaised: true, error }));
    expect(await screen.findByText("WhatsApp changed the template's category")).toBeTruthy();
    expect(screen.queryByText(/template\.categoryRaised/)).toBeNull();
    expect(screen.getByRole("button", { name: /^Send the remaining/ })).toBeTruthy();
  });

  it("asks to correct the credentials before the rest is sent", async () => {
    const error = { code: "unauthorized", message: "Authentication required", details: "" } as const;
    renderApp(OLD, await hostWith({ state: "interrupted", error }));
    expect(await screen.findByText(/Correct the credentials in Settings, then send the remaining rows/)).toBeTruthy();
    expect(screen.queryByText(/You can send the remaining rows now/)).toBeNull();
  });

  it("does not ask to send the rest while the account is restricted", async () => {
    const host = await hostWith({ state: "interrupted" });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    const restriction = {
      field: "number",
      code: "number.restricted",
      message: "",
      values: { account: "Retail" },
    } as const;
    host.answer("get_batch", () => ({ ...detail, restriction: { ...restriction, severity: "error" } }));
    renderApp(OLD, host);
    expect(await screen.findByText("The account is restricted")).toBeTruthy();
    expect(screen.getByText(/^WhatsApp does not let Retail send templates at the moment/)).toBeTruthy();
    expect(screen.queryByText(/You can send the remaining rows now/)).toBeNull();
  });

  it("sends nothing of a batch whose number was removed, and says what to do", async () => {
    const host = await hostWith({ state: "interrupted" });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    const restriction = {
      field: "number",
      code: "number.unknown",
      severity: "error",
      message: "",
      values: {},
    } as const;
    host.answer("get_batch", () => ({ ...detail, restriction }));
    renderApp(OLD, host);
    expect(await screen.findByText("The number is no longer in this workspace")).toBeTruthy();
    expect(screen.getByText(/“New batch like this” begins a batch from another number/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Send the remaining/ })).toBeNull();
    expect(screen.getByRole("button", { name: "New batch like this" })).toBeTruthy();
  });

  it("leads from a half that was not sent to where the halves are sent", async () => {
    const host = await hostWith({ state: "planned", isHalf: true });
    host.answer("get_comparison_pair", () => ({ first: "batch-old", second: "batch-2" }));
    renderApp(OLD, host);
    expect(await screen.findByText("This half of a divided list is checked but not sent.")).toBeTruthy();
    const link = await screen.findByRole("link", { name: "Send the halves…" });
    await waitFor(() => expect(link.getAttribute("href")).toContain("second=batch-2"));
  });

  it("names the number before it sends the rest", async () => {
    const { user } = renderApp(OLD, await hostWith({ state: "interrupted" }));
    await user.click(await screen.findByRole("button", { name: /^Send the remaining/ }));
    const question = await screen.findByRole("dialog");
    expect(within(question).getByText(/^Sent from /)).toBeTruthy();
  });

  it("shows what it was to cost beside what it did", async () => {
    const host = await hostWith({});
    const line = { market: "BR", category: "marketing", messages: 2, price: "0.0625", amount: "0.125" };
    const cost = { currency: "USD", isSample: false, total: "0.125", priced: 2, free: 0, unknown: 0, lines: [line] };
    host.answer("get_batch_cost", () => ({ planned: { ...cost, total: "0.25" }, actual: cost }));
    renderApp(OLD, host);
    expect(
      await screen.findByText(/Expected: \$0\.25 · Delivered so far: \$0\.13 \(2 charged messages\)/),
    ).toBeTruthy();
  });

  it("says nothing about the cost of deliveries where nothing was delivered", async () => {
    const host = await hostWith({ state: "planned" });
    const cost = { currency: "USD", isSample: false, total: "0", priced: 0, free: 0, unknown: 0, lines: [] };
    host.answer("get_batch_cost", () => ({ planned: { ...cost, total: "0.25", priced: 4 }, actual: cost }));
    renderApp(OLD, host);
    expect(await screen.findByText(/Expected: \$0\.25$/)).toBeTruthy();
    expect(screen.queryByText(/Delivered so far/)).toBeNull();
  });

  it("never says that messages without a price cost nothing", async () => {
    const host = await hostWith({});
    const cost = { currency: "USD", isSample: false, total: "16.06", priced: 257, free: 0, unknown: 60, lines: [] };
    const planned = { ...cost, total: "0", priced: 0 };
    host.answer("get_batch_cost", () => ({ planned, actual: cost }));
    renderApp(OLD, host);
    expect(
      await screen.findByText(/Expected: Unknown · Delivered so far: At least \$16\.06; 60 without a price/),
    ).toBeTruthy();
  });

  it("says of a planned round that nothing was sent, and of one without anybody what to do", async () => {
    const host = createFakeHost({ templates: 40 });
    await host.call("plan_round", { batch: "batch-old", group: "capped" });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old-round", limit: 50 });
    const counts = { ...detail.batch.counts, planned: 0, skipped: detail.batch.total };
    host.answer("get_batch", () => ({ ...detail, batch: { ...detail.batch, counts } }));
    const none = { currency: "USD", isSample: false, total: "0", priced: 0, free: 0, unknown: 0, lines: [] };
    host.answer("get_batch_cost", () => ({ planned: none, actual: none }));
    renderApp("/sends/batches/batch-old-round", host);
    expect(await screen.findByText(/^Nobody in it can be sent this message now/)).toBeTruthy();
    expect(screen.getByText("Checked but not started. Nothing was sent.")).toBeTruthy();
    expect(screen.queryByText(/rows done/)).toBeNull();
    expect(screen.queryByText(/Delivered so far|Expected/)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Send to/ })).toBeNull();
    expect(screen.getByRole("button", { name: "Discard" })).toBeTruthy();
  });

  it("says what the remaining rows cost before they are sent", async () => {
    const host = await hostWith({});
    const cost = { currency: "USD", isSample: false, total: "1.5", priced: 18, free: 0, unknown: 0, lines: [] };
    host.answer("estimate_batch_rows", () => ({ rows: 18, cost }));
    const { user } = renderApp(OLD, host);
    await user.click(await screen.findByRole("button", { name: /^Send the remaining/ }));
    expect(await within(await screen.findByRole("dialog")).findByText(/About \$1\.50/)).toBeTruthy();
    expect(asked(host, "estimate_batch_rows").at(-1)?.request).toEqual({
      batch: "batch-old",
      states: ["planned", "cancelled"],
    });
  });

  it("shows the message, the sender and the values of a further round before it is sent", async () => {
    const host = createFakeHost({ templates: 40 });
    await host.call("plan_round", { batch: "batch-old", group: "capped" });
    const { user } = renderApp("/sends/batches/batch-old-round", host);
    expect(await screen.findByText(/^Each person gets the same values as on /)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Use another file instead" })).toBeTruthy();
    await user.click(await screen.findByRole("row", { name: /^Row 20,/ }));
    const message = within(await screen.findByRole("dialog", { name: /^Message to / }));
    expect(await message.findAllByText("Ana Lima", { exact: true }), "the person, and a value").toHaveLength(2);
    expect(message.getByText(/order_shipped/)).toBeTruthy();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Send to 2 people…" }));
    const question = within(await screen.findByRole("dialog", { name: "Send to 2 recipients?" }));
    expect(question.getByText(/order_shipped/)).toBeTruthy();
    expect(await question.findByText("Unknown: there is no rate card")).toBeTruthy();
  });

  it("follows its events", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    let { batch } = detail;
    host.answer("get_batch", () => ({ ...detail, batch }));
    batch = { ...batch, state: "running" };
    renderApp(OLD, host);
    expect(await screen.findByText("22 of 40 rows done")).toBeTruthy();
    batch = { ...batch, state: "done", counts: { ...batch.counts, planned: 0, sent: 18 } };
    host.emit({ type: "batchProgress", workspace: "sandbox", id: "batch-old", done: 40, total: 40, state: "done" });
    expect(await screen.findByText("40 of 40 rows done")).toBeTruthy();
    expect(await screen.findByText("All rows are done. Statuses can still change.")).toBeTruthy();
  });

  it("is listed with its rows by status after it has ended", async () => {
    const host = createFakeHost({ templates: 40 });
    const { batch }: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    const NONE = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as unknown as Batch["counts"];
    const counts = { ...NONE, sent: 2, refused: 1, unknown: 1 };
    host.answer("list_batches", () => [{ ...batch, state: "done", total: 4, counts }]);
    renderApp("/sends/batches", host);
    expect(await screen.findByText("2 sent · 1 rejected · 1 with unknown outcome")).toBeTruthy();
    expect(
      screen.getByRole("row", { name: /Done, some unknown, 2 sent · 1 rejected · 1 with unknown outcome$/ }),
    ).toBeTruthy();
  });

  it("asks the host for a storm of events no more than twice a second", async () => {
    const host = createFakeHost({ templates: 40 });
    renderApp(OLD, host);
    await screen.findByText("22 of 40 rows done");
    await screen.findByRole("row", { name: /^Row 2,/ });
    const before = asked(host, "get_batch").length;
    for (let place = 0; place < 200; place += 1) {
      host.emit({ type: "sendUpdated", workspace: "sandbox", id: `s${place}`, state: "delivered" });
    }
    await waitFor(() => expect(asked(host, "get_batch").length).toBeGreaterThan(before));
    expect(asked(host, "get_batch").length - before).toBeLessThanOrEqual(2);
  });

  it("stops before it asks about the rest, with the number that is left then", async () => {
    const host = createFakeHost({ templates: 40 });
    const detail: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 50 });
    let batch: Batch = { ...detail.batch, state: "running" };
    host.answer("get_batch", () => ({ ...detail, batch }));
    host.answer("cancel_batch", () => (batch = { ...batch, state: "cancelling" }));
    const { user } = renderApp(OLD, host);
    await user.click(await screen.findByRole("button", { name: "Pause" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Pausing the batch" }));
    expect(asked(host, "cancel_batch").at(-1)?.request).toEqual({ batch: "batch-old" });
    expect(await dialog.findByText("Sending is being paused…")).toBeTruthy();
    expect(dialog.getByText(/can't stop messages/)).toBeTruthy();
    // Three messages were on their way.
    batch = { ...batch, state: "cancelled", counts: { ...batch.counts, planned: 0, cancelled: 15, sent: 3 } };
    host.emit({
      type: "batchProgress",
      workspace: "sandbox",
      id: "batch-old",
      done: 25,
      total: 40,
      state: "cancelled",
    });
    expect(await dialog.findByText("Sending is paused. 15 messages were not sent.")).toBeTruthy();
    expect(screen.getByRole("dialog", { name: "The batch is paused" })).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Keep sending" }));
    await waitFor(() =>
      expect(asked(host, "resume_batch").at(-1)?.request).toEqual({ batch: "batch-old", resendUnknown: false }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("leaves the rest unsent, to be sent later", async () => {
    const host = await hostWith({ state: "running" });
    host.answer("cancel_batch", async () => {
      const { batch } = await host.call("get_batch", { batch: "batch-old", limit: 1 });
      const cancelled: Batch = { ...batch, state: "cancelled", counts: { ...batch.counts, planned: 0, cancelled: 18 } };
      host.answer("get_batch", () => ({ batch: cancelled, rows: [], next: null }));
      return cancelled;
    });
    const { user } = renderApp(OLD, host);
    await user.click(await screen.findByRole("button", { name: "Pause" }));
    const dialog = within(await screen.findByRole("dialog", { name: "The batch is paused" }));
    await dialog.findByText(/18 messages were not sent/);
    const leave = dialog.getByRole("button", { name: "Leave it paused" });
    expect(leave.getAttribute("style") ?? "").not.toContain("red");
    await user.click(leave);
    expect(await screen.findByRole("button", { name: "Send the remaining 18" })).toBeTruthy();
    expect(asked(host, "resume_batch")).toHaveLength(0);
    expect(screen.getByText("Paused")).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Not sent 18$/ })).toBeTruthy();
    expect(screen.queryByText(/Cancelled/)).toBeNull();
  });

  it("goes on with rows that never left, and says that those of unknown outcome stay", async () => {
    const { host, user } = renderApp(OLD);
    expect(await screen.findByText("We don't know whether 2 messages were sent")).toBeTruthy();
    // The reason in the window's language, beside the provider's text.
    expect(screen.getByText("Your provider rejected the credentials")).toBeTruthy();
    expect(screen.getByText("The token has expired.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Send the remaining 18" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Send 18 remaining rows?" }));
    expect(dialog.getByText(/2 rows with an unknown outcome are not sent again/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Send 18 now" }));
    await waitFor(() =>
      expect(asked(host, "resume_batch").at(-1)?.request).toEqual({ batch: "batch-old", resendUnknown: false }),
    );
    expect(await screen.findByRole("button", { name: "Pause" })).toBeTruthy();
  });

  it("ends a paused batch for good after a question", async () => {
    const host = await hostWith({ state: "cancelled" });
    const { batch }: BatchDetail = await host.call("get_batch", { batch: "batch-old", limit: 1 });
    host.answer("end_batch", () => {
      const ended: Batch = { ...batch, state: "done", counts: { ...batch.counts, planned: 0, ended: 18 } };
      host.answer("get_batch", () => ({ batch: ended, rows: [], next: null }));
      return ended;
    });
    const { user } = renderApp(OLD, host);
    await user.click(await screen.findByRole("button", { name: "End for good…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End the batch for good?" }));
    expect(
      dialog.getByText(/^The 18 rows that were not sent are left out of this batch\. You can make a new batch/),
    ).toBeTruthy();
    expect(asked(host, "end_batch")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "End for good" }));
    await waitFor(() => expect(asked(host, "end_batch").at(-1)?.request).toEqual({ batch: "batch-old" }));
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: /^(Send the remaining|End for good)/ })).toBeNull(),
    );
  });

  it("sends rows of unknown outcome a second time only after it said what that means", async () => {
    const host = await hostWith({ state: "done" });
    const { user } = renderApp(OLD, host);
    await user.click(await screen.findByRole("button", { name: "Send again…" }));
    // What was never sent goes with them, so all are counted.
    const dialog = within(await screen.findByRole("dialog", { name: /^Send \d+ messages\?$/ }));
    expect(dialog.getByText(/^The outcome of 2 of them is unknown.* never sent\.$/)).toBeTruthy();
    expect(dialog.getByText(/will get it again/)).toBeTruthy();
    expect(asked(host, "resume_batch")).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: /^Send \d+$/ }));
    await waitFor(() =>
      expect(asked(host, "resume_batch").at(-1)?.request).toEqual({ batch: "batch-old", resendUnknown: true }),
    );
  });

  it("offers to try refused rows again when nothing else is left of an interrupted batch", async () => {
    const { batch } = await createFakeHost({ templates: 40 }).call("get_batch", { batch: "batch-old", limit: 1 });
    const counts = { ...batch.counts, planned: 0, delivered: 18, failed: 2, unknown: 2, refused: 18 };
    const host = await hostWith({ counts });
    const { user } = renderApp(OLD, host);
    expect(await screen.findByText(/every row was tried/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Retry 18 rejected" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Retry 18 rejected rows?" }));
    expect(dialog.getByText(/the others stay rejected/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Retry now" }));
    await waitFor(() =>
      expect(asked(host, "resume_batch").at(-1)?.request).toEqual({ batch: "batch-old", resendUnknown: false }),
    );
  });

  it("offers nothing for refused rows of a batch that went to its end", async () => {
    const { batch } = await createFakeHost({ templates: 40 }).call("get_batch", { batch: "batch-old", limit: 1 });
    renderApp(OLD, await hostWith({ state: "done", counts: { ...batch.counts, planned: 0, refused: 18 } }));
    await screen.findByText("40 of 40 rows done");
    expect(screen.queryByRole("button", { name: /^Retry/ })).toBeNull();
  });

  it.each([
    ["unknown", /We don't know whether the last requests were carried out\. We'll continue automatically/],
    ["131056", /Waiting until .*\(131056\).*continue automatically/],
    ["429", /asked us to send more slowly\. \(429\)/],
    ["503", /temporarily unavailable\. \(503\)/],
    ["offline", /can't reach your provider\. We'll continue automatically/],
  ])("says why it waits: %s", async (waitingReason, words) => {
    renderApp(OLD, await hostWith({ state: "running", waitingUntil: Date.now() + 60_000, waitingReason }));
    expect((await screen.findByText(/Waiting until/)).textContent).toMatch(words);
  });

  it("writes the outcomes into a file and says where it is", async () => {
    const { user } = renderApp(OLD);
    await user.click(await screen.findByRole("button", { name: "Export results…" }));
    expect(await screen.findByText("/home/ana/customers-outcomes.csv")).toBeTruthy();
  });
});

describe("the list of batches", () => {
  it("shows what was started, with state and progress, and leads to its page", async () => {
    const { user } = renderApp("/sends/batches");
    await user.click(
      await screen.findByRole("row", {
        name: /order_shipped, English \(United States\), pilot.csv, Interrupted, .*18 not sent$/,
      }),
    );
    await waitFor(() => expect(window.location.hash).toBe("#/sends/batches/batch-old"));
  });

  it("says what batches are for while there are none", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("list_batches", () => []);
    const { user } = renderApp("/sends/batches", host);
    expect(await screen.findByText("No batches yet")).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "Recipients" }));
    await waitFor(() => expect(window.location.hash).toBe("#/sends/recipients"));
  });
});

describe("the people of a batch", () => {
  it("are counted by what became of them, and those who replied are listed", async () => {
    const { user } = renderApp(OLD);
    const people = within(await screen.findByRole("region", { name: "Results by person" }));
    expect(people.getByText("Held back by WhatsApp 2")).toBeTruthy();
    await user.click(people.getByRole("button", { name: "Show replies" }));
    const replies = within(await screen.findByRole("dialog", { name: "Who wrote afterwards" }));
    const link = await replies.findByRole("link", { name: "Maria Souza" });
    expect(link.getAttribute("href")).toContain("contact=");
    expect(replies.getByText("Yes, please")).toBeTruthy();
  });

  it("says of skipped rows that they were not sent, whatever the reason", async () => {
    const host = createFakeHost({ templates: 40 });
    const skipped = { group: "leftOut", people: 9, again: 0, triedOften: 0, inLaterBatch: 0 } as const;
    host.answer("get_batch_groups", () => ({ ...NO_GROUPS, groups: [skipped] }));
    renderApp(OLD, host);
    expect(await screen.findByText(/^These rows were not sent\./)).toBeTruthy();
  });

  it("may want to stop marketing, which is said where replies are counted and listed", async () => {
    const host = createFakeHost();
    host.answer("get_batch_groups", () => ({ ...NO_GROUPS, replied: 2, mayWantToStop: 1 }));
    const reply = { recipient: "5511", formatted: "+55 11", name: "Ana", at: NOW, kind: "text" };
    host.answer("list_batch_replies", () => ({
      people: [
        { ...reply, row: 1, contact: "5511", text: "no me manden más mensajes", mayWantToStop: true },
        { ...reply, row: 2, contact: "5512", text: "Yes" },
      ],
    }));
    const { user } = renderApp(OLD, host);
    expect(await screen.findByText(/1 may want to stop marketing\.$/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Show replies" }));
    expect(await screen.findAllByText(/may want to stop marketing$/)).toHaveLength(1);
  });

  it("of batches made from this one are shown in their state, also once that changed", async () => {
    const host = createFakeHost();
    const round = { batch: "batch-round", group: "passing", people: 1 } as const;
    host.answer("get_batch_groups", () => ({ ...NO_GROUPS, rounds: [{ ...round, state: "planned" }] }));
    renderApp(OLD, host);
    expect(await screen.findByText(/\(Planned\)/)).toBeTruthy();
    host.answer("get_batch_groups", () => ({ ...NO_GROUPS, rounds: [{ ...round, state: "done" }] }));
    host.emit({ type: "batchProgress", workspace: "sandbox", id: "batch-round", done: 1, total: 1, state: "done" });
    expect(await screen.findByText(/\(Done\)/, undefined, { timeout: 4_000 })).toBeTruthy();
  });

  it("are counted by the button that they tapped", async () => {
    const host = createFakeHost();
    const taps = [
      { button: "Yes", people: 1_200 },
      { button: "No", people: 3 },
    ];
    host.answer("get_batch_groups", () => ({ ...NO_GROUPS, replied: 1_208, taps }));
    const reply = { recipient: "5511", formatted: "+55 11", name: "Ana", at: NOW, kind: "text" };
    host.answer("list_batch_replies", () => ({
      people: [
        { ...reply, row: 1, contact: "5511", text: "Thank you", tapped: "Yes" },
        { ...reply, row: 2, contact: "5512", kind: "button", text: "No", tapped: "No" },
      ],
    }));
    const { user } = renderApp(OLD, host);
    expect(await screen.findByText("“Yes” 1,200 · “No” 3 · something else 5")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Show replies" }));
    const replies = within(await screen.findByRole("dialog", { name: "Who wrote afterwards" }));
    expect(await replies.findByText("Thank you · tapped “Yes”")).toBeTruthy();
    expect(replies.getByText("No")).toBeTruthy();
    expect(replies.getByText(/something else 5$/)).toBeTruthy();
  });

  it("of a group make a draft that leads back, and can be sent or discarded", async () => {
    const { host, user } = renderApp(OLD);
    const people = within(await screen.findByRole("region", { name: "Results by person" }));
    await user.click(people.getByRole("button", { name: "New batch for 2 people" }));
    await waitFor(() => expect(window.location.hash).toContain("batch-old-round"));
    expect(asked(host, "plan_round")[0]?.request).toEqual({ batch: "batch-old", group: "capped" });
    const back = await screen.findByRole("link", { name: "Open the earlier batch" });
    expect(back.getAttribute("href")).toContain("/sends/batches/batch-old");
    await user.click(await screen.findByRole("button", { name: "Send to 2 people…" }));
    await user.click(await screen.findByRole("button", { name: "Send 2 messages now" }));
    await waitFor(() =>
      expect(asked(host, "start_batch")[0]?.request).toEqual({ batch: "batch-old-round", skipBad: true }),
    );
  });

  it("of a draft cannot be sent to before the time", async () => {
    const earliest = Date.now() + 3_600_000;
    const host = await hostWith({ state: "planned", origin: { batch: "batch-first", group: "capped", earliest } });
    renderApp(OLD, host);
    const send = await screen.findByRole("button", { name: /^Send to \d+ p/ });
    expect(send).toHaveProperty("disabled", true);
    expect(screen.getByText(/WhatsApp doesn't deliver to any of them yet/)).toBeTruthy();
  });
});
