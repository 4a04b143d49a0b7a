import { Channel, invoke } from "@tauri-apps/api/core";
import type { DeskEvent } from "@/bindings/app";
import type { CommandName, Host, RequestOf, ResponseOf } from "./host";
import { patchRequests } from "./request-patches";

type Listener = (event: DeskEvent) => void;

/** Opened by the first listener; one stream serves the whole page. */
let listeners: Set<Listener> | undefined;

function listen(listener: Listener): () => void {
  if (!listeners) {
    const open = new Set<Listener>();
    listeners = open;
    // Events come in batches: the host gathers what happens within a tenth of a second.
    const channel = new Channel<DeskEvent[]>((events) => {
      for (const event of events) for (const hear of [...open]) hear(event);
    });
    // A page that cannot subscribe still works: what it shows is refetched whenever a screen opens.
    invoke("subscribe", { channel }).catch((reason: unknown) => console.warn("no events from the host", reason));
  }
  const added = listeners;
  added.add(listener);
  return () => added.delete(listener);
}

const send = patchRequests((command, payload) => invoke(command, payload));

export const tauriHost: Host = {
  call<C extends CommandName>(name: C, request: RequestOf<C>) {
    return send(name, request) as Promise<ResponseOf<C>>;
  },

  subscribe: listen,

  onFileDrop(onDrop) {
    return listen((event) => {
      if (event.type !== "filesDragged") return;
      onDrop(event.drag.state === "dropped" ? event.drag : { state: event.drag.state });
    });
  },
};
