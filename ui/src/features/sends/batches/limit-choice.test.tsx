import { NO_FINDING } from "@test/fake-batches";
import { createFakeHost, type FakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { BatchPlanRequest } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { forgetDraft } from "./draft";

const NEW = "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000";

beforeEach(() => forgetDraft("sandbox"));

const button = (name: string | RegExp) => screen.findByRole("button", { name });
const requests = (host: FakeHost, name: string) => host.calls.filter((call) => call.name === name);
const accepted = (host: FakeHost) =>
  (requests(host, "plan_batch").at(-1)?.request as BatchPlanRequest | undefined)?.overrides;

/** A host whose check finds a warning about one row or, with row 0, about all of them. */
function warning(code: SendProblem["code"], row: number, values: SendProblem["values"]): FakeHost {
  const host = createFakeHost({ templates: 40 });
  host.answer("plan_batch", ({ overrides }) => {
    const isAccepted = overrides.includes(code);
    return {
      ...NO_FINDING,
      id: isAccepted ? "b" : "a",
      total: 4000,
      good: isAccepted ? 4000 : row === 0 ? 0 : 3999,
      bad: isAccepted ? 0 : row === 0 ? 4000 : 1,
      counts: row === 0 ? [] : [{ code, rows: 1, people: 1 }],
      problems: [
        { row, recipient: "5511", problem: { field: "number", code, severity: "warning", values, message: "" } },
      ],
    };
  });
  return host;
}

async function check(user: UserEvent) {
  await user.click(await screen.findByRole("radio", { name: "CSV file" }));
  await user.click(await button("Choose a CSV file…"));
  await screen.findByText("customers.csv");
  await user.click(await screen.findByRole("combobox", { name: /^Link ending: Shop the sale/ }));
  await user.click(await screen.findByRole("option", { name: "Shop" }));
  await user.click(await button("Check recipients"));
}

const LIMIT = { limit: "1000", used: "10", fit: "990", people: "4000", until: "", at: "1800000000000", asOf: "1" };

it("lets the people above the limit wait, and sends only then", async () => {
  const host = warning("number.limit", 0, LIMIT);
  const { user } = renderApp(NEW, host);
  await check(user);
  expect(await screen.findByText(/write to 1,000 people in 24 hours, and 10 of them are used/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Send to/ })).toBeNull();
  await user.click(screen.getByRole("radio", { name: /^Send to those who fit now/ }));
  await button("Send to 4,000…");
  expect(screen.queryByText("Takes about"), "the last of them waits").toBeNull();
  await user.click(await button("Send to 4,000…"));
  host.answer("start_batch", () => {
    throw new Error("only the request matters here");
  });
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("The rest follows when the messaging limit has room");
  await user.click(await button("Start sending 4,000 messages"));
  await waitFor(() => expect(requests(host, "start_batch")).toHaveLength(1));
  expect(requests(host, "spread_batch").map(({ request }) => request)).toEqual([{ batch: "b" }]);
});

it("sends to everyone at once where the person decides so", async () => {
  const host = warning("number.limit", 0, LIMIT);
  const { user } = renderApp(NEW, host);
  await check(user);
  await user.click(await screen.findByRole("radio", { name: /^Send to everyone at once/ }));
  await button("Send to 4,000…");
  expect(screen.getByText("Takes about")).toBeTruthy();
  await user.click(await button("Send to 4,000…"));
  host.answer("start_batch", () => {
    throw new Error("only the request matters here");
  });
  await user.click(await button(/^Send 4,000/));
  await waitFor(() => expect(requests(host, "start_batch")).toHaveLength(1));
  expect(requests(host, "spread_batch")).toEqual([]);
});

it("leaves out people who got a marketing message today until the workspace decides otherwise", async () => {
  const host = warning("to.recentMarketing", 3, { at: "1800000000000", since: "" });
  const { user } = renderApp(NEW, host);
  await check(user);
  const leaveOut = await screen.findByRole("switch", { name: /^Leave out 1 person/ });
  expect((leaveOut as HTMLInputElement).checked).toBe(true);
  await user.click(leaveOut);
  await waitFor(() => expect(accepted(host)).toEqual(["to.recentMarketing"]));
  expect(requests(host, "save_preferences").at(-1)?.request).toMatchObject({ repeatMarketing: ["sandbox"] });
});
