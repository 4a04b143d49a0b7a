import { useEffect, useRef, useState } from "react";
import type { Attachment, Draft, EditContext } from "@/bindings/app";
import type { FileFacts, SampleSet } from "@/bindings/model";
import { call } from "@/lib/ipc/client";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";
import { type ComposerStore, filesOf } from "./store";

interface Question {
  draft: Draft;
  samples: SampleSet;
  context: EditContext | undefined;
}

/**
 * Writes the current findings and phone preview of the template to the store. Asked on every change; while
 * one answer is under way only the latest question waits, so that a slow answer never holds up typing nor overtakes a
 * newer one.
 */
export function useInspection(store: ComposerStore): DeskFailure | undefined {
  const [failure, setFailure] = useState<DeskFailure>();
  const asked = useRef<Question | undefined>(undefined);

  useEffect(() => {
    let mounted = true;
    let running = false;
    const ask = async () => {
      if (running) return;
      running = true;
      for (;;) {
        const { draft, samples, context } = store.getState();
        if (!mounted || !differs(asked.current, { draft, samples, context })) break;
        asked.current = { draft, samples, context };
        try {
          const { template, edits, translates, keptTexts = [] } = draft;
          const isEdit = edits != null;
          const accepted = context?.accepted ? context.original : null;
          const files = factsOf(draft);
          const request = { template, files, samples, isEdit, accepted, translates, keptTexts };
          const answer = await call("inspect_template", request);
          if (!mounted) break;
          store.getState().inspected(answer);
          setFailure(undefined);
        } catch (reason) {
          if (mounted) setFailure(toFailure(reason));
        }
      }
      running = false;
    };
    void ask();
    const unsubscribe = store.subscribe(() => void ask());
    return () => {
      mounted = false;
      asked.current = undefined;
      unsubscribe();
    };
  }, [store]);

  return failure;
}

function differs(before: Question | undefined, now: Question): boolean {
  if (before === undefined || before.samples !== now.samples || before.context !== now.context) return true;
  const { draft } = now;
  if (before.draft === draft) return false;
  const files = filesOf(draft);
  const earlier = filesOf(before.draft);
  return (
    before.draft.template !== draft.template ||
    before.draft.keptTexts !== draft.keptTexts ||
    before.draft.cardFiles !== draft.cardFiles ||
    files.length !== earlier.length ||
    files.some((file, index) => file !== earlier[index])
  );
}

/** What the rules need of the files: never their pictures, which would travel with every key. */
function factsOf({ headerFile, cardFiles }: Draft) {
  return { header: factOf(headerFile), cards: cardFiles.map(factOf) };
}

function factOf(file: Attachment | null | undefined): FileFacts | null {
  if (!file) return null;
  const { size, encoding, mime } = file;
  return { size, encoding, mime: mime === "" ? null : mime };
}
