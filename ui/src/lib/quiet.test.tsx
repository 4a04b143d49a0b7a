import { QueryClient } from "@tanstack/react-query";
import { createFakeHost, type FakeHost } from "@test/fake-host";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "./ipc/query-client";
import { watch } from "./quiet";

const underAutomation = (is: boolean) => vi.spyOn(navigator, "webdriver", "get").mockReturnValue(is);

const { setTimeout: setTimer, clearTimeout: clearTimer, MessagePort: Port } = window;
const { postMessage } = Port.prototype;

/** An answer, and what settles it. */
function pendingAnswer<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((onAnswer, onError) => {
    resolve = onAnswer;
    reject = onError;
  });
  return { promise, resolve, reject };
}

function forget() {
  window.__quiet = undefined;
  window.__queries = undefined;
}

beforeEach(forget);
afterEach(() => {
  Object.assign(window, { setTimeout: setTimer, clearTimeout: clearTimer, MessagePort: Port });
  Port.prototype.postMessage = postMessage;
  forget();
});

vi.mock("@/app/show-app", () => ({ showApp: () => undefined }));
vi.mock("@/app/text-font", () => ({ loadTextFont: () => undefined }));
vi.mock("@/lib/ipc/tauri-host", () => ({ tauriHost: createFakeHost() satisfies Partial<FakeHost> }));

describe("the start of the window", () => {
  beforeEach(() => {
    vi.resetModules();
    document.body.innerHTML = '<div id="root"></div>';
  });

  afterEach(() => {
    document.body.innerHTML = "";
  });

  it("installs nothing for a person", async () => {
    underAutomation(false);
    await import("@/main");
    createQueryClient();
    expect([window.__quiet, window.__queries]).toEqual([undefined, undefined]);
    expect(window.setTimeout).toBe(setTimer);
  });

  it("installs it under automation", async () => {
    underAutomation(true);
    await import("@/main");
    const client = createQueryClient();
    expect(window.__quiet).toBeTypeOf("function");
    expect(window.__queries).toBe(client);
    expect(window.setTimeout).not.toBe(setTimer);
  });
});

describe("a quiet page", () => {
  let host: FakeHost;
  let call: FakeHost["call"];
  let animations: unknown[];

  beforeEach(() => {
    animations = [];
    Object.assign(document, { getAnimations: () => animations });
    host = createFakeHost();
    call = watch(host).call;
  });

  afterEach(() => {
    Reflect.deleteProperty(document, "getAnimations");
    document.body.innerHTML = "";
  });

  /** What is pending now. */
  const pending = () => window.__quiet?.(0);

  it("has nothing pending", async () => {
    expect(await pending()).toEqual([]);
  });

  it("waits for the answers of the host, also for errors", async () => {
    const answer = pendingAnswer<never>();
    host.answer("get_presence", () => answer.promise);
    const asked = call("get_presence", {});
    expect(await pending()).toEqual(["call get_presence"]);
    const quiet = window.__quiet?.();
    answer.reject(new Error("refused"));
    await expect(asked).rejects.toThrow("refused");
    expect(await quiet).toEqual([]);
  });

  it("waits for queries and mutations", async () => {
    const client = new QueryClient();
    window.__queries = client;
    const answer = pendingAnswer<number>();
    const asked = client.fetchQuery({ queryKey: ["a"], queryFn: () => answer.promise });
    expect(await pending()).toContain("queries");
    answer.resolve(1);
    await asked;
    const done = pendingAnswer<number>();
    const changed = client
      .getMutationCache()
      .build(client, { mutationFn: () => done.promise })
      .execute(undefined);
    expect(await pending()).toContain("mutations");
    done.resolve(1);
    await changed;
    expect(await window.__quiet?.()).toEqual([]);
  });

  it("waits for short timers until they ran or were cleared, and for no long ones", async () => {
    const ran = vi.fn();
    window.setTimeout(ran, 50, "argument");
    const cleared = window.setTimeout(ran, 400);
    const long = window.setTimeout(ran, 401);
    expect(await pending()).toEqual(["timer of 50 ms", "timer of 400 ms"]);
    window.clearTimeout(cleared);
    expect(await window.__quiet?.()).toEqual([]);
    expect(ran.mock.calls).toEqual([["argument"]]);
    window.clearTimeout(long);
  });

  it("waits for animations that finish", async () => {
    const animation = (playState: string, endTime: number) => ({
      playState,
      effect: { getComputedTiming: () => ({ endTime }) },
    });
    animations = [animation("running", Number.POSITIVE_INFINITY), animation("finished", 200)];
    expect(await pending()).toEqual([]);
    animations = [animation("running", 200)];
    expect(await pending()).toEqual(["animation of the page"]);
  });

  it("waits for placeholders and pictures", async () => {
    document.body.innerHTML = '<i class="mantine-Skeleton-root"></i>';
    expect(await pending()).toEqual(["placeholder of a screen that is loading"]);
    document.body.innerHTML = '<img src="a.png" loading="lazy">';
    const image = document.querySelector("img");
    vi.spyOn(image as HTMLImageElement, "complete", "get").mockReturnValue(false);
    expect(await pending()).toEqual([]);
    (image as HTMLImageElement).loading = "eager";
    expect(await pending()).toEqual([expect.stringMatching(/^image .*a\.png$/)]);
  });

  it("waits until nothing was rendered for two frames", async () => {
    // The one of happy-dom is not the one of its channels.
    const OwnPort = class {
      postMessage() {}
    };
    Object.assign(window, { MessagePort: OwnPort });
    watch(host);
    const port = new OwnPort();
    let frames = 0;
    vi.spyOn(globalThis, "requestAnimationFrame").mockImplementation((draw) => {
      frames += 1;
      // React renders in the first two frames.
      if (frames <= 2) port.postMessage();
      return setTimer(() => draw(0)) as unknown as number;
    });
    expect(await window.__quiet?.()).toEqual([]);
    expect(frames).toBeGreaterThanOrEqual(4);
  });
});
