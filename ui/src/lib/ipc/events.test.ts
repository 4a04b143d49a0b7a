import { QueryClient } from "@tanstack/react-query";
import { createFakeHost } from "@test/fake-host";
import { describe, expect, it } from "vitest";
import type { DeskEvent } from "@/bindings/app";
import { connectHost } from "./client";
import { followEvents, staleKeys } from "./events";
import { keys } from "./queries";

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
    [
      { type: "eventsStored", workspaces: ["a", "b"], count: 2 },
      [keys.events(), keys.insights("a"), keys.insights("b")],
    ],
    [
      { type: "messageReceived", workspace, contact: "1" },
      [keys.contacts(workspace), keys.conversation(workspace, "1")],
    ],
    [{ type: "receiverChanged", state: { state: "starting" } }, [keys.bootstrap()]],
    [{ type: "workspacesChanged" }, [keys.bootstrap(), ["workspace"]]],
    [{ type: "draftSaved", workspace, id: "d" }, [keys.drafts(workspace)]],
  ])("$type", (event, expected) => {
    expect(staleKeys(event)).toEqual(expect.arrayContaining(expected));
  });

  it("is nothing for progress, and for events this window does not know", () => {
    expect(staleKeys({ type: "submissionProgress", draft: "d", waba: "1", sent: 1, total: 2, file: "a.png" })).toEqual(
      [],
    );
    expect(staleKeys({ type: "somethingNew" } as unknown as DeskEvent)).toEqual([]);
  });
});

describe("following events", () => {
  it("marks the answers of the named workspace only, and stops when told", () => {
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
});
