// Forms that were filled in and neither sent nor saved, by workspace. The host keeps them, so that a reload, a crash of the
// page and a restart restore them. A caller leaves secrets out.

import { useSyncExternalStore } from "react";
import { call } from "./ipc/client";

/**
 * Format of the stored contents. Forms of another format are not restored: raise it when the fields of a form change.
 */
const FORMAT = 2;
/** Time after the last change before it is stored, in milliseconds. */
const PAUSE = 300;
/** Longest time that a change waits while more are typed, in milliseconds. */
const LONGEST = 800;

interface Kept {
  workspace: string;
  form: string;
  /** Absent once it was sent, saved or cleared. */
  content: object | undefined;
}

const keyOf = (workspace: string, form: string) => `${workspace} ${form}`;

const forms = new Map<string, object>();
/** Changes that are not stored yet. */
const waiting = new Map<string, Kept>();
/** Changes that the host is storing. The next one of the same form waits: the host does not keep the order of calls. */
const underWay = new Set<string>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** When the oldest change that is not stored was made. */
let since: number | undefined;

/** Loads what was filled in before the page was loaded. Without an answer of the host everything begins empty. */
export async function loadUnfinishedForms(): Promise<void> {
  const stored = await call("list_unfinished_forms", {}).catch(() => []);
  for (const { workspace, form, content } of stored) {
    const key = keyOf(workspace, form);
    const read = readContent(content);
    if (read && !forms.has(key)) forms.set(key, read);
  }
}

function readContent(text: string): object | undefined {
  try {
    const { format, content } = JSON.parse(text);
    return format === FORMAT && typeof content === "object" && content !== null ? content : undefined;
  } catch {
    return undefined;
  }
}

/** What was filled in, with the shape that the caller kept; always the same object until it changes. */
export function unfinishedForm<T extends object>(workspace: string, form: string): T | undefined {
  return forms.get(keyOf(workspace, form)) as T | undefined;
}

/** What was filled in, followed as it changes. */
export function useUnfinishedForm<T extends object>(workspace: string, form: string): T | undefined {
  return useSyncExternalStore(subscribe, () => unfinishedForm<T>(workspace, form));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps what is filled in, and stores it after a pause. */
export function keepForm(workspace: string, form: string, content: object): void {
  const key = keyOf(workspace, form);
  if (forms.get(key) === content) return;
  forms.set(key, content);
  store({ workspace, form, content });
}

/** The form was sent, saved or cleared. */
export function dropForm(workspace: string, form: string): void {
  if (forms.delete(keyOf(workspace, form))) store({ workspace, form, content: undefined });
}

function store(kept: Kept): void {
  for (const listener of listeners) listener();
  waiting.set(keyOf(kept.workspace, kept.form), kept);
  since ??= Date.now();
  clearTimeout(timer);
  timer = setTimeout(storeWaiting, Math.max(0, Math.min(PAUSE, since + LONGEST - Date.now())));
}

/** Stores every change now, or as soon as the one before it is stored. What cannot be stored waits for the next change. */
export function storeWaiting(): void {
  clearTimeout(timer);
  since = undefined;
  for (const key of waiting.keys()) storeNext(key);
}

function storeNext(key: string): void {
  const kept = waiting.get(key);
  if (!kept || underWay.has(key)) return;
  waiting.delete(key);
  underWay.add(key);
  const { workspace, form, content } = kept;
  const text = content === undefined ? null : JSON.stringify({ format: FORMAT, content });
  call("save_unfinished_form", { workspace, form, content: text }).then(
    () => {
      underWay.delete(key);
      storeNext(key);
    },
    () => {
      underWay.delete(key);
      if (waiting.has(key)) storeNext(key);
      else waiting.set(key, kept);
    },
  );
}

/** Forgets everything that the host has not stored, as a reload of the page does. */
export function forgetForms(): void {
  clearTimeout(timer);
  since = undefined;
  waiting.clear();
  underWay.clear();
  forms.clear();
}

window.addEventListener("blur", storeWaiting);
window.addEventListener("pagehide", storeWaiting);
