import type { DeskEvent } from "@/bindings/app";
import { toFailure } from "./errors";
import type { CommandName, FileDrop, Host, RequestOf, ResponseOf } from "./host";
import { wellFormed } from "./well-formed";

let host: Host | undefined;
let stopEvents: (() => void) | undefined;
const listeners = new Set<(event: DeskEvent) => void>();

/** Says which host the page talks to. Called once before anything is rendered, and by each test. */
export function connectHost(next: Host): void {
  stopEvents?.();
  host = next;
  stopEvents = next.subscribe((event) => {
    for (const listener of listeners) listener(event);
  });
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

export function onFileDrop(onDrop: (drop: FileDrop) => void): () => void {
  return host?.onFileDrop(onDrop) ?? (() => undefined);
}
