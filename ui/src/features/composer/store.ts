// The state of one composer: the draft as it stands, what was undone, and what the rules say. A field takes only its own
// part of it, so that a keystroke draws no more than what it changes.

import { replaceEqualDeep } from "@tanstack/react-query";
import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Attachment, Draft, EditContext, Inspection } from "@/bindings/app";
import type { Finding, SampleSet, Template } from "@/bindings/model";
import type { Spare } from "./parts";

/** Steps that can be undone. */
const MOST_STEPS = 200;
/** Typing in one field within this time, in milliseconds, is one step. */
const ONE_STEP = 1000;

export interface ComposerState {
  draft: Draft;
  /** What the edited template allows; absent for a new one, and until it is known. */
  context: EditContext | undefined;
  inspection: Inspection | undefined;
  /** What the provider refused last, and what it said of a rejected template. */
  refusals: Finding[];
  /** Which values the phone shows for the variables. */
  samples: SampleSet;
  /** Fields the person has been in. */
  touched: ReadonlySet<string>;
  /** Whether a submission was tried: then every finding is shown at its field. */
  attempted: boolean;
  past: Draft[];
  future: Draft[];
  /** Which view is open. */
  tab: "form" | "json";
  /** Which card of the carousel is open in the form. */
  card: number;
  /** Samples of variables that were taken out of a text, to be given back with them. */
  spare: Spare;

  /** Changes the draft. Changes with the same `key` in quick succession are one step to undo. */
  update: (edit: (draft: Draft) => Draft, key?: string) => void;
  /** Changes the template. */
  change: (edit: (template: Template) => Template, key?: string) => void;
  undo: () => void;
  redo: () => void;
  touch: (path: string) => void;
  attempt: () => void;
  refuse: (findings: Finding[]) => void;
  inspected: (inspection: Inspection) => void;
  showSamples: (samples: SampleSet) => void;
  setContext: (context: EditContext) => void;
  openTab: (tab: "form" | "json") => void;
  openCard: (card: number) => void;
}

/** Files that go with a draft. */
export function filesOf(draft: Draft): Attachment[] {
  return [draft.headerFile, ...draft.cardFiles, draft.pixFile, draft.orderFile].filter((file) => file != null);
}

export type ComposerStore = StoreApi<ComposerState>;

export function createComposerStore(draft: Draft): ComposerStore {
  let lastKey: string | undefined;
  let lastAt = 0;
  return createStore<ComposerState>()((set, get) => ({
    draft,
    context: undefined,
    inspection: undefined,
    refusals: [],
    samples: "own",
    touched: new Set(),
    attempted: false,
    tab: "form",
    card: 0,
    past: [],
    future: [],
    spare: new Map(),

    update: (edit, key) => {
      const { draft: before, past } = get();
      const after = edit(before);
      if (after === before) return;
      const now = Date.now();
      const goesOn = key !== undefined && key === lastKey && now - lastAt < ONE_STEP && past.length > 0;
      lastKey = key;
      lastAt = now;
      set({
        draft: after,
        past: goesOn ? past : [...past.slice(-MOST_STEPS + 1), before],
        future: [],
        // What the provider said was about the template as it stood.
        ...(after.template === before.template ? {} : { refusals: [] }),
      });
    },
    change: (edit, key) =>
      get().update((draft) => {
        const template = edit(draft.template);
        return template === draft.template ? draft : { ...draft, template };
      }, key),
    undo: () => {
      const { past, draft: now, future } = get();
      const before = past.at(-1);
      if (!before) return;
      lastKey = undefined;
      set({ draft: before, past: past.slice(0, -1), future: [now, ...future] });
    },
    redo: () => {
      const { past, draft: now, future } = get();
      const [after, ...rest] = future;
      if (!after) return;
      lastKey = undefined;
      set({ draft: after, past: [...past, now], future: rest });
    },
    touch: (path) => {
      if (!get().touched.has(path)) set({ touched: new Set(get().touched).add(path) });
    },
    attempt: () => set({ attempted: true }),
    refuse: (refusals) => set({ refusals }),
    // What stays equal stays the same object, so that only what differs is drawn again.
    inspected: (inspection) => set({ inspection: replaceEqualDeep(get().inspection, inspection) }),
    showSamples: (samples) => set({ samples }),
    setContext: (context) => set({ context }),
    openTab: (tab) => set({ tab }),
    openCard: (card) => set({ card }),
  }));
}

export const ComposerContext = createContext<ComposerStore | undefined>(undefined);

export function useComposerStore(): ComposerStore {
  const store = use(ComposerContext);
  if (!store) throw new Error("The fields of the composer stand inside the composer");
  return store;
}

/** A part of the state. What the selector gives must stay the same object while nothing changes. */
export function useComposer<T>(select: (state: ComposerState) => T): T {
  return useStore(useComposerStore(), select);
}

/** Whether the draft edits a template that exists. */
export function useEdits(): boolean {
  return useComposer((state) => state.draft.edits != null);
}
