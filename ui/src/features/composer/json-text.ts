// The template as the text of the JSON view: the exact creation (contract §4.2), and what is read from it.

import { useEffect } from "react";
import type { Draft } from "@/bindings/app";
import { stringifyJson } from "@/lib/exact-json";
import { call } from "@/lib/ipc/client";
import type { ComposerState, ComposerStore } from "./store";

/** Identifiers are numbers in the contract, longer than what a number holds here; they are written digit by digit. */
function writtenId(id: string): string {
  return /^(?:0|[1-9]\d*)$/.test(id) ? id : JSON.stringify(id);
}

/** The creation as it would be sent. */
export function creationJson({ template, wabaIds }: Pick<Draft, "template" | "wabaIds">): string {
  const text = stringifyJson({ waba_ids: 0, ...template }, 2);
  const ids = wabaIds.length === 0 ? "[]" : `[\n    ${wabaIds.map(writtenId).join(",\n    ")}\n  ]`;
  return text.replace('"waba_ids": 0', () => `"waba_ids": ${ids}`);
}

/** What the JSON view shows: what was written as long as it says the same, else the creation again. */
export function jsonTextOf({ draft, jsonRead }: Pick<ComposerState, "draft" | "jsonRead">): string {
  if (draft.jsonText != null) return draft.jsonText;
  if (jsonRead && jsonRead.template === draft.template && jsonRead.wabaIds === draft.wabaIds) return jsonRead.text;
  return creationJson(draft);
}

/**
 * Reads what is written in the JSON view. The text is kept in the draft until it can be read, so that it is
 * stored like everything else. One answer at a time is waited for; the newest text is read next.
 */
export function useJsonReader(store: ComposerStore): void {
  useEffect(() => {
    let mounted = true;
    let running = false;
    let asked: string | undefined;
    const read = async () => {
      if (running) return;
      running = true;
      for (;;) {
        const { jsonText } = store.getState().draft;
        const { jsonFault } = store.getState();
        if (!mounted || jsonText == null || (jsonText === asked && jsonFault)) break;
        asked = jsonText;
        try {
          const { template, wabaIds, fault } = await call("read_template", { text: jsonText });
          if (store.getState().draft.jsonText !== jsonText) continue;
          if (template) store.getState().readJson({ text: jsonText, template, wabaIds });
          else store.getState().faultJson(fault ?? { line: 1, column: 1, message: "", code: "" });
        } catch (reason) {
          const message = reason instanceof Error ? reason.message : String(reason);
          if (store.getState().draft.jsonText === jsonText)
            store.getState().faultJson({ line: 1, column: 1, message, code: "" });
        }
      }
      running = false;
    };
    void read();
    const unsubscribe = store.subscribe(() => void read());
    return () => {
      mounted = false;
      unsubscribe();
    };
  }, [store]);
}
