import { useState } from "react";
import type { Recipient } from "@/bindings/app";

/** Recipients chosen together. They stay chosen while the list is narrowed to others. */
export function useMarked() {
  const [marked, setMarked] = useState<ReadonlyMap<string, Recipient>>(new Map());
  return {
    marked,
    toggle: (recipient: Recipient) =>
      setMarked((before) => {
        const next = new Map(before);
        if (!next.delete(recipient.id)) next.set(recipient.id, recipient);
        return next;
      }),
    add: (recipients: readonly Recipient[]) =>
      setMarked((before) => new Map([...before, ...recipients.map((recipient) => [recipient.id, recipient] as const)])),
    remove: (ids: readonly string[]) => setMarked((before) => new Map([...before].filter(([id]) => !ids.includes(id)))),
    clear: () => setMarked(new Map()),
  };
}
