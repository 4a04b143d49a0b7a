// The one seam between the window and what hosts it. The product has one implementation, tests another.

import type { DeskEvent } from "@/bindings/app";
import type { Commands } from "@/bindings/ipc";

export type CommandName = keyof Commands;
export type RequestOf<C extends CommandName> = Commands[C]["request"];
export type ResponseOf<C extends CommandName> = Commands[C]["response"];

/** Files dragged over the window; paths, because the host reads them and the page never does. */
export type FileDrop = { state: "over" } | { state: "left" } | { state: "dropped"; paths: string[] };

export interface Host {
  /** Rejects with whatever the host rejects with; `client.ts` makes one kind of error of it. */
  call<C extends CommandName>(name: C, request: RequestOf<C>): Promise<ResponseOf<C>>;
  /** Events from now on, until the returned function is called. */
  subscribe(onEvent: (event: DeskEvent) => void): () => void;
  onFileDrop(onDrop: (drop: FileDrop) => void): () => void;
}
