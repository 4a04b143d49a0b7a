// Says under automation when the page is quiet, so that window tests wait for that and never for time.

import type { QueryClient } from "@tanstack/react-query";
import type { CommandName, Host } from "./ipc/host";

declare global {
  interface Window {
    /**
     * Resolves when nothing in the page is pending: with an empty list, or after `maxWait` milliseconds with what is
     * still pending. Timers of up to `longestTimer` milliseconds are awaited. Only under automation.
     */
    __quiet?: (maxWait?: number, longestTimer?: number) => Promise<string[]>;
    /** The queries of the app. Only under automation. */
    __queries?: QueryClient;
  }
}

/** Longest delay of timers that are waited for, in milliseconds: pauses in typing, autosave and transitions. Polling is slower. */
const LONGEST_TIMER = 400;
/** Time between two looks at a page that is not quiet, in milliseconds. */
const INTERVAL = 20;
/** A hidden window draws no frames. */
const LONGEST_FRAME = 100;

/** Installs `__quiet`. Returns `host`, whose calls it counts. Has to be called before anything sets a timer. */
export function watch(host: Host): Host {
  const later = window.setTimeout.bind(window);
  const calls: CommandName[] = [];
  const timers = watchTimers();
  const work = watchScheduler();

  function pending(longestTimer: number): string[] {
    const { __queries: queries, __TSR_ROUTER__: router } = window;
    return [
      ...calls.map((name) => `call ${name}`),
      ...(queries?.isFetching() ? ["queries"] : []),
      ...(queries?.isMutating() ? ["mutations"] : []),
      ...(router?.state.status === "pending" ? ["router"] : []),
      ...[...timers.values()].filter((delay) => delay <= longestTimer).map((delay) => `timer of ${delay} ms`),
      ...document.getAnimations().filter(willFinish).map(nameOf),
      ...(document.fonts.status === "loading" ? ["fonts"] : []),
      ...(document.querySelector(".mantine-Skeleton-root") ? ["placeholder of a screen that is loading"] : []),
      ...[...document.querySelectorAll("img")].filter(isLoading).map(({ src }) => `image ${src.slice(0, 80)}`),
    ];
  }

  const sleep = (time: number) => new Promise<unknown>((resolve) => later(resolve, time));
  const frame = () => Promise.race([new Promise(requestAnimationFrame), sleep(LONGEST_FRAME)]);

  window.__quiet = async (maxWait = 10_000, longestTimer = LONGEST_TIMER) => {
    const started = performance.now();
    for (;;) {
      const before = work.count;
      let left = pending(longestTimer);
      if (left.length === 0) {
        await frame();
        await frame();
        left = pending(longestTimer);
        if (left.length === 0 && work.count === before) return [];
      }
      if (performance.now() - started > maxWait) return left.length > 0 ? left : ["rendering"];
      await sleep(INTERVAL);
    }
  };

  return {
    ...host,
    async call(name, request) {
      calls.push(name);
      try {
        return await host.call(name, request);
      } finally {
        calls.splice(calls.indexOf(name), 1);
        work.count += 1;
      }
    },
  };
}

/** The delays of the short timers that are pending, by timer. */
function watchTimers(): ReadonlyMap<number, number> {
  const timers = new Map<number, number>();
  const set = window.setTimeout.bind(window) as (handler: TimerHandler, delay?: number, ...args: unknown[]) => number;
  const clear = window.clearTimeout.bind(window);
  const watched = (handler: TimerHandler, delay = 0, ...args: unknown[]) => {
    if (typeof handler !== "function" || delay > LONGEST_TIMER) return set(handler, delay, ...args);
    const timer = set(() => {
      timers.delete(timer);
      handler(...args);
    }, delay);
    timers.set(timer, delay);
    return timer;
  };
  window.setTimeout = watched as unknown as typeof window.setTimeout;
  window.clearTimeout = (timer) => {
    timers.delete(timer as number);
    clear(timer);
  };
  return timers;
}

/** Counts the messages by which React continues rendering. */
function watchScheduler(): { count: number } {
  const work = { count: 0 };
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
    work.count += 1;
    Reflect.apply(post, this, args);
  };
  return work;
}

/** Spinners never finish. */
function willFinish({ playState, effect }: Animation): boolean {
  return playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime);
}

function nameOf(animation: Animation): string {
  const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
  return `animation of ${target?.getAttribute("class") ?? "the page"}`;
}

const isLoading = ({ complete, loading }: HTMLImageElement) => !complete && loading !== "lazy";
