import type { DeskEvent } from "@/bindings/app";
import { toFailure } from "./errors";
import type { CommandName, FileDrop, Host, RequestOf, ResponseOf } from "./host";
import { wellFormed } from "./well-formed";

let host: Host | undefined;
let stopEvents: (() => void) | undefined;
const listeners = new Set<(event: DeskEvent) => void>();
/** What came before anything followed the events: the app is loaded and compiled meanwhile. */
let earlyEvents: DeskEvent[] | undefined;

/**
 * Says which host the page talks to. Called once before anything is rendered, and by each test. Events are subscribed to
 * before `prepare` asks the host anything, so that no answer is outdated unnoticed.
 */
export function connectHost(next: Host, prepare = (connected: Host): Host => connected): void {
  stopEvents?.();
  earlyEvents = [];
  stopEvents = next.subscribe((event) => {
    earlyEvents?.push(event);
    for (const listener of listeners) listener(event);
  });
  host = prepare(next);
}

export async function call<C extends CommandName>(name: C, request: RequestOf<C>): Promise<ResponseOf<C>> {
  if (!host) throw toFailure("The window is not connected to its host.");
  try {
    return await host.call(name, wellFormed(request));
  } catch (reason) {
    throw toFailure(reason);
  }
}

export function onDeskEvent(listener: (event: DeskEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The events that came before the first call, once. */
export function takeEarlyEvents(): DeskEvent[] {
  const early = earlyEvents ?? [];
  earlyEvents = undefined;
  return early;
}

export function onFileDrop(onDrop: (drop: FileDrop) => void): () => void {
  return host?.onFileDrop(onDrop) ?? (() => undefined);
}
