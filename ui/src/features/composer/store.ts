// The state of one composer: the draft, the undo history and the findings. A field takes only its own
// part of it, so that a keystroke draws no more than what it changes.

import { replaceEqualDeep } from "@tanstack/react-query";
import { createContext, use, useMemo } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { shallow } from "zustand/vanilla/shallow";
import type { Attachment, Draft, EditContext, Inspection, TextFault } from "@/bindings/app";
import type { Finding, SampleSet, Template } from "@/bindings/model";
import { type JsonRead, unaffectedFindings, withGuidance } from "./guidance";
import type { Spare } from "./parts";

/** Steps that can be undone. */
const MAX_UNDO_STEPS = 200;
/** Typing in one field within this time, in milliseconds, is one step. */
const ONE_STEP = 1000;

export interface ComposerState extends ComposerActions {
  draft: Draft;
  /** What the edited template allows; absent for a new one, and until it is known. */
  context: EditContext | undefined;
  inspection: Inspection | undefined;
  /** What the provider refused last, and what it said of a rejected template. */
  refusals: Finding[];
  /** Templates and drafts that have the name and language of the draft. */
  nameFindings: Finding[];
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
  /** Where the caret of the JSON view shall go. */
  jsonFocus: string | undefined;
  /** Why the text of the JSON view, which is in the draft, cannot be read. */
  jsonFault: TextFault | undefined;
  /** The text that was read last, and what was read from it: it stays as written until the form changes. */
  jsonRead: JsonRead | undefined;
  /** Samples of variables that were taken out of a text, to be given back with them. */
  spare: Spare;
}

/** What changes the state. Only functions, which stay the same: `useComposerActions` does not follow changes. */
interface ComposerActions {
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
  nameChecked: (findings: Finding[]) => void;
  showSamples: (samples: SampleSet) => void;
  setContext: (context: EditContext) => void;
  focusJson: (path: string | undefined) => void;
  /** Keeps what is written in the JSON view as it is, until it is read. */
  writeJson: (text: string) => void;
  /** Takes over what was read from the text of the JSON view. */
  readJson: (read: JsonRead) => void;
  faultJson: (fault: TextFault) => void;
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
    nameFindings: [],
    samples: "own",
    touched: new Set(),
    attempted: false,
    tab: "form",
    card: 0,
    past: [],
    future: [],
    jsonFocus: undefined,
    jsonFault: undefined,
    jsonRead: undefined,
    spare: new Map(),

    update: (edit, key) => {
      const { draft: before, past, refusals, context } = get();
      const edited = edit(before);
      if (edited === before) return;
      // The form goes on from the last text that could be read; undoing gives the other one back.
      const overtaken = edited.template !== before.template && edited.jsonText === before.jsonText;
      const after = overtaken && before.jsonText != null ? { ...edited, jsonText: null } : edited;
      const now = Date.now();
      const goesOn = key !== undefined && key === lastKey && now - lastAt < ONE_STEP && past.length > 0;
      lastKey = key;
      lastAt = now;
      set({
        draft: after,
        past: goesOn ? past : [...past.slice(-MAX_UNDO_STEPS + 1), before],
        future: [],
        // What the provider said was about a field as it stood.
        refusals: unaffectedFindings(refusals, before, after, context),
        ...(after.jsonText == null ? { jsonFault: undefined } : {}),
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
      set({
        draft: before,
        past: past.slice(0, -1),
        future: [now, ...future],
        refusals: unaffectedFindings(get().refusals, now, before, get().context),
        jsonFault: undefined,
      });
    },
    redo: () => {
      const { past, draft: now, future } = get();
      const [after, ...rest] = future;
      if (!after) return;
      lastKey = undefined;
      set({
        draft: after,
        past: [...past, now],
        future: rest,
        refusals: unaffectedFindings(get().refusals, now, after, get().context),
        jsonFault: undefined,
      });
    },
    touch: (path) => {
      if (!get().touched.has(path)) set({ touched: new Set(get().touched).add(path) });
    },
    attempt: () => set({ attempted: true }),
    // What the review said of the template stays beside what the provider says of this submission.
    refuse: (refusals) => set({ refusals: withGuidance(refusals, get()) }),
    // What stays equal stays the same object, so that only what differs is drawn again.
    inspected: (inspection) => set({ inspection: replaceEqualDeep(get().inspection, inspection) }),
    nameChecked: (nameFindings) => set({ nameFindings }),
    showSamples: (samples) => set({ samples }),
    setContext: (context) =>
      set((state) => ({ context, refusals: withGuidance(state.refusals, { draft: state.draft, context }) })),
    focusJson: (jsonFocus) => set({ jsonFocus }),
    writeJson: (text) => get().update((draft) => ({ ...draft, jsonText: text }), "json"),
    readJson: (read) => {
      get().update((draft) => {
        // The accounts of a template that exists are fixed.
        const wabaIds = draft.edits != null || sameIds(draft.wabaIds, read.wabaIds) ? draft.wabaIds : read.wabaIds;
        return { ...draft, template: read.template, wabaIds, jsonText: null };
      }, "json");
      set({ jsonRead: { ...read, wabaIds: get().draft.wabaIds }, jsonFault: undefined });
    },
    faultJson: (jsonFault) => set({ jsonFault }),
    openTab: (tab) => set({ tab }),
    openCard: (card) => set({ card }),
  }));
}

function sameIds(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

export const ComposerContext = createContext<ComposerStore | undefined>(undefined);

export function useComposerStore(): ComposerStore {
  const store = use(ComposerContext);
  if (!store) throw new Error("A field of the composer was rendered outside of the composer");
  return store;
}

/** A part of the state. What the selector gives must stay the same object while nothing changes. */
export function useComposer<T>(select: (state: ComposerState) => T): T {
  return useStore(useComposerStore(), select);
}

/** The actions. They need no subscription to the state. */
export function useComposerActions(): ComposerActions {
  return useComposerStore().getState();
}

/**
 * What `derive` makes of a part of the state. Every change of the state, and so every key, runs every selector; `derive` runs
 * only when its part changed. The result stays the same object while it is shallowly equal.
 */
export function useDerived<Part, T>(select: (state: ComposerState) => Part, derive: (part: Part) => T): T {
  return useComposer(useMemo(() => derivedSelector(select, derive), [select, derive]));
}

function derivedSelector<Part, T>(select: (state: ComposerState) => Part, derive: (part: Part) => T) {
  let last: { part: Part; derived: T } | undefined;
  return (state: ComposerState): T => {
    const part = select(state);
    if (last && Object.is(last.part, part)) return last.derived;
    const derived = derive(part);
    last = { part, derived: last && shallow(last.derived, derived) ? last.derived : derived };
    return last.derived;
  };
}

/** Selects the template. */
export function templateOf({ draft }: ComposerState): Template {
  return draft.template;
}

/** Whether the draft edits a template that exists. */
export function useEdits(): boolean {
  return useComposer((state) => state.draft.edits != null);
}
