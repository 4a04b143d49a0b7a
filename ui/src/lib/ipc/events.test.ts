import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { createFakeHost } from "@test/fake-host";
import { describe, expect, it, vi } from "vitest";
import type { DeskEvent } from "@/bindings/app";
import { connectHost } from "./client";
import { followEvents } from "./events";
import { keys } from "./keys";
import { staleAfterEvent } from "./stale";

const workspace = "acme";

describe("what an event makes stale", () => {
  it.each<[DeskEvent, (readonly unknown[])[]]>([
    [
      { type: "templateStatusChanged", workspace, name: "a", language: "en", event: "APPROVED" },
      [
        keys.templates(workspace),
        keys.template(workspace),
        keys.versions(workspace),
        keys.editContext(),
        keys.reviewBoard(workspace),
        keys.sendForm(workspace),
      ],
    ],
    [{ type: "templatesChanged", workspace }, [keys.templates(workspace), keys.insights(workspace)]],
    [{ type: "syncFinished", workspace }, [keys.templates(workspace)]],
    [{ type: "sendUpdated", workspace, id: "s1", state: "read" }, [keys.sends(workspace), keys.send("s1")]],
    [{ type: "sendUpdated", workspace, id: "s1", state: "read" }, [keys.batch(), keys.batches(workspace)]],
    [
      { type: "batchProgress", workspace, id: "b1", done: 1, total: 2, state: "running" },
      [keys.batch("b1"), keys.batches(workspace)],
    ],
    [
      { type: "eventsStored", workspaces: ["a", "b"], count: 2 },
      [
        keys.events(),
        keys.insights("a"),
        keys.insights("b"),
        keys.contacts("a"),
        keys.conversation("b"),
        keys.sends("a"),
      ],
    ],
    [
      { type: "messageReceived", workspace, contact: "1" },
      [keys.contacts(workspace), keys.conversation(workspace, "1")],
    ],
    [{ type: "eventsStored", workspaces: ["a"], count: 2 }, [keys.endpoints("a")]],
    [{ type: "receiverChanged", state: { state: "starting" } }, [keys.bootstrap(), ["endpoints"]]],
    [{ type: "workspacesChanged" }, [keys.bootstrap(), ["workspace"]]],
    [{ type: "draftSaved", workspace, id: "d" }, [keys.drafts(workspace)]],
    [{ type: "keyringChanged", state: { state: "locked" } }, [keys.bootstrap(), ["workspace"]]],
    [{ type: "storageChanged" }, [keys.storage()]],
    [{ type: "sandboxChanged" }, [keys.phones(), keys.phoneMessages(), keys.phoneScripts(), keys.sandboxSettings()]],
    [{ type: "projectionProgress", done: 9, total: 9, rebuilding: false }, [keys.events(), ["contacts"], ["insights"]]],
  ])("$type", (event, expected) => {
    expect(staleAfterEvent(event)).toEqual(expect.arrayContaining(expected));
  });

  // The host emits an event about all where there are many about single ones.
  const template = { workspace, name: "a", language: "en" };
  it.each<[DeskEvent, DeskEvent]>([
    [
      { type: "sendUpdated", workspace, id: "s1", state: "read" },
      { type: "sendsUpdated", workspace },
    ],
    [
      { type: "messageReceived", workspace, contact: "1" },
      { type: "messagesReceived", workspace },
    ],
    [
      { type: "templateStatusChanged", ...template, event: "APPROVED" },
      { type: "templatesChanged", workspace },
    ],
    [
      { type: "templateCategoryChanged", ...template, after: "UTILITY" },
      { type: "templatesChanged", workspace },
    ],
    [
      { type: "templateQualityChanged", ...template, after: "GREEN" },
      { type: "templatesChanged", workspace },
    ],
  ])("is for all what it is for one, as for $0.type", (one, all) => {
    const ofAll = staleAfterEvent(all);
    const isCovered = (key: readonly unknown[]) =>
      ofAll.some((prefix) => prefix.every((part, index) => part === key[index]));
    expect(staleAfterEvent(one).filter((key) => !isCovered(key))).toEqual([]);
  });

  it("is nothing for progress, and for events this window does not know", () => {
    expect(
      staleAfterEvent({ type: "submissionProgress", draft: "d", waba: "1", sent: 1, total: 2, file: "a.png" }),
    ).toEqual([]);
    expect(staleAfterEvent({ type: "projectionProgress", done: 1, total: 9, rebuilding: true })).toEqual([]);
    expect(staleAfterEvent({ type: "somethingNew" } as unknown as DeskEvent)).toEqual([]);
  });
});

describe("following events", () => {
  it("invalidates only the queries of the workspace, and stops on request", () => {
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    const stop = followEvents(client);
    client.setQueryData(keys.drafts("acme"), []);
    client.setQueryData(keys.drafts("other"), []);
    const isStale = (id: string) => client.getQueryState(keys.drafts(id))?.isInvalidated;

    host.emit({ type: "draftSaved", workspace: "acme", id: "d" });
    expect(isStale("acme")).toBe(true);
    expect(isStale("other")).toBe(false);

    stop();
    host.emit({ type: "draftSaved", workspace: "other", id: "d" });
    expect(isStale("other")).toBe(false);
  });

  it("hears what happened before the app was loaded", () => {
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    client.setQueryData(keys.drafts("acme"), []);
    const isStale = () => client.getQueryState(keys.drafts("acme"))?.isInvalidated;
    host.emit({ type: "draftSaved", workspace: "acme", id: "d" });
    expect(isStale()).toBe(false);
    followEvents(client)();
    expect(isStale()).toBe(true);
  });

  it("remembers why a sync failed until one succeeds", () => {
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    followEvents(client);
    const failure = () => client.getQueryData(keys.syncFailure(workspace));

    host.emit({ type: "syncFailed", workspace, error: { code: "offline", reason: "no route" } });
    expect(failure()).toEqual({ code: "offline", reason: "no route" });
    host.emit({ type: "syncFinished", workspace });
    expect(failure()).toBeNull();
  });

  it("hears the newest host only", () => {
    const [before, after] = [createFakeHost(), createFakeHost()];
    connectHost(before);
    connectHost(after);
    const client = new QueryClient();
    followEvents(client);
    client.setQueryData(keys.drafts("acme"), []);
    before.emit({ type: "draftSaved", workspace: "acme", id: "d" });
    expect(client.getQueryState(keys.drafts("acme"))?.isInvalidated).toBe(false);
  });

  it("asks once at once and once more after a pause, however many events a second come", async () => {
    vi.useFakeTimers();
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    const stop = followEvents(client);
    const fetched = vi.fn(async () => ({}));
    const observer = new QueryObserver(client, {
      queryKey: keys.insights("acme"),
      queryFn: fetched,
      staleTime: 60_000,
    });
    const leave = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    fetched.mockClear();

    for (let time = 0; time < 10; time += 1) {
      host.emit({ type: "eventsStored", workspaces: ["acme"], count: 1 });
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fetched).toHaveBeenCalledTimes(2);

    leave();
    stop();
    vi.useRealTimers();
  });

  it.each([
    ["a query that is shown", true],
    ["a query that is loaded before it is shown", false],
  ])("asks again for a first answer that is in flight, for %s", async (_, isShown) => {
    vi.useFakeTimers();
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    const stop = followEvents(client);
    let rows = "old";
    const query = {
      queryKey: keys.templates(workspace),
      queryFn: async () => {
        const answer = rows;
        await new Promise((resolve) => setTimeout(resolve, 200));
        return answer;
      },
      staleTime: 60_000,
    };
    if (!isShown) void client.prefetchQuery(query);
    let leave = isShown ? new QueryObserver(client, query).subscribe(() => undefined) : undefined;
    await vi.advanceTimersByTimeAsync(100);

    rows = "new";
    host.emit({ type: "templatesChanged", workspace });
    await vi.advanceTimersByTimeAsync(150);
    expect(client.getQueryData(query.queryKey)).toBe("old");
    leave ??= new QueryObserver(client, query).subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(client.getQueryData(query.queryKey)).toBe("new");

    leave();
    stop();
    vi.useRealTimers();
  });

  it("leaves it to the list of events when to ask, and takes progress from the event itself", () => {
    const host = createFakeHost();
    connectHost(host);
    const client = new QueryClient();
    followEvents(client);
    client.setQueryData(keys.events("acme"), { pages: [], pageParams: [] });
    host.emit({ type: "eventsStored", workspaces: ["acme"], count: 1 });
    expect(client.getQueryState(keys.events("acme"))).toMatchObject({ isInvalidated: true, fetchStatus: "idle" });
    host.emit({ type: "projectionProgress", done: 4, total: 10, rebuilding: true });
    expect(client.getQueryData(keys.projection())).toEqual({ done: 4, total: 10, rebuilding: true, behind: 6 });
  });
});
