import { expect, test } from "vitest";
import { connectHost } from "./client";
import { askEarly } from "./early-answers";
import type { CommandName, Host } from "./host";

function recordingHost() {
  const calls: CommandName[] = [];
  const host: Host = {
    call(name) {
      calls.push(name);
      return Promise.reject(new Error(`${name} ${calls.length}`));
    },
    subscribe: () => () => undefined,
    onFileDrop: () => () => undefined,
  };
  return { calls, host };
}

test("what a start needs is asked for at once, and again by the second who asks", async () => {
  const { calls, host } = recordingHost();
  const early = askEarly(host);
  expect(calls).toEqual(["get_bootstrap", "list_unfinished_forms"]);
  await expect(early.call("get_bootstrap", {})).rejects.toThrow("get_bootstrap 1");
  expect(calls).toHaveLength(2);
  await expect(early.call("get_bootstrap", {})).rejects.toThrow("get_bootstrap 3");
  await expect(early.call("get_presence", {})).rejects.toThrow("get_presence 4");
});

test("events are subscribed to before anything is asked", () => {
  const order: string[] = [];
  const host: Host = {
    call(name) {
      order.push(name);
      return Promise.reject(new Error(name));
    },
    subscribe: () => {
      order.push("subscribe");
      return () => undefined;
    },
    onFileDrop: () => () => undefined,
  };
  connectHost(host, askEarly);
  expect(order).toEqual(["subscribe", "get_bootstrap", "list_unfinished_forms"]);
});
