import { Channel, invoke } from "@tauri-apps/api/core";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import type { DeskEvent } from "@/bindings/app";
import type { CommandName, FileDrop, Host, RequestOf, ResponseOf } from "./host";

export const tauriHost: Host = {
  call<C extends CommandName>(name: C, request: RequestOf<C>) {
    return invoke<ResponseOf<C>>(name, { request });
  },

  subscribe(onEvent) {
    let open = true;
    // Events come in batches: the host gathers what happens within a tenth of a second.
    const channel = new Channel<DeskEvent[]>((events) => {
      for (const event of events) if (open) onEvent(event);
    });
    // A page that cannot subscribe still works: what it shows is refetched whenever a screen opens.
    invoke("subscribe", { channel }).catch((reason: unknown) => console.warn("no events from the host", reason));
    return () => {
      open = false;
    };
  },

  onFileDrop(onDrop) {
    let stop: (() => void) | undefined;
    let open = true;
    getCurrentWebview()
      .onDragDropEvent(({ payload }) => {
        if (open) onDrop(fileDrop(payload));
      })
      .then(
        (unlisten) => {
          if (open) stop = unlisten;
          else unlisten();
        },
        (reason: unknown) => console.warn("no file drops from the host", reason),
      );
    return () => {
      open = false;
      stop?.();
    };
  },
};

function fileDrop(payload: { type: "enter" | "over" | "leave" | "drop"; paths?: string[] }): FileDrop {
  switch (payload.type) {
    case "drop":
      return { state: "dropped", paths: payload.paths ?? [] };
    case "leave":
      return { state: "left" };
    default:
      return { state: "over" };
  }
}
