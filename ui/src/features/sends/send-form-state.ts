// The values of the send forms by workspace. They are kept until the window closes, so that a look at another screen
// does not lose them.

import { useEffect, useState } from "react";
import type { SendRequest, SendText } from "@/bindings/app";

/** Callback data of a send, and how it is sent. */
export interface CallbackFormState {
  callbackData: string;
  track: boolean;
  exactCallback: boolean;
}

export type SendFormState = CallbackFormState & Pick<SendRequest, "number" | "to" | "values">;
export type TextFormState = CallbackFormState & Pick<SendText, "number" | "to" | "text" | "previewUrl">;

const NO_CALLBACK: CallbackFormState = { callbackData: "", track: true, exactCallback: false };
export const EMPTY_SEND_FORM: SendFormState = { number: "", to: "", values: {}, ...NO_CALLBACK };
export const EMPTY_TEXT_FORM: TextFormState = { number: "", to: "", text: "", previewUrl: false, ...NO_CALLBACK };

class FormStateStore<T extends object> {
  private readonly typed = new Map<string, T>();
  private readonly before = new Map<string, T>();

  get(key: string): T | undefined {
    return this.typed.get(key);
  }

  set(key: string, typed: T): void {
    this.typed.set(key, typed);
  }

  /** Replaces the typed values by those of a send that is repeated. The typed values can be restored. */
  replace(key: string, typed: T, hasContent: (typed: T) => boolean): void {
    const before = this.typed.get(key);
    if (before && hasContent(before) && JSON.stringify(before) !== JSON.stringify(typed)) this.setAside(key, before);
    this.typed.set(key, typed);
  }

  setAside(key: string, typed: T): void {
    this.before.set(key, typed);
  }

  replaced(key: string): T | undefined {
    return this.before.get(key);
  }

  forgetReplaced(key: string): void {
    this.before.delete(key);
  }
}

export const sendForms = new FormStateStore<SendFormState>();
export const textForms = new FormStateStore<TextFormState>();

export const sendKey = (workspace: string, reference: string) => `${workspace} ${reference}`;

/** Fills the form of the template with the values of an earlier send. */
export function repeatSend({
  workspace,
  reference,
  number,
  to,
  values,
  callbackData,
  track,
  exactCallback,
}: SendRequest) {
  const typed = { number, to, values, callbackData, track, exactCallback };
  sendForms.replace(
    sendKey(workspace, reference),
    typed,
    (before) => before.to !== "" || Object.values(before.values).some((value) => value !== ""),
  );
}

/** Fills the form of texts with the values of an earlier one. */
export function repeatText({ workspace, number, to, text, previewUrl, callbackData, track, exactCallback }: SendText) {
  const typed = { number, to, text, previewUrl, callbackData, track, exactCallback };
  textForms.replace(workspace, typed, (before) => before.text !== "");
}

/** The form state under `key`, at first `initial`, and the values that a repetition replaced. */
export function useStoredFormState<T extends object>(store: FormStateStore<T>, key: string, initial: () => T) {
  const [typed, setTyped] = useState<T>(() => store.get(key) ?? initial());
  const [replaced, setReplaced] = useState(() => store.replaced(key));
  useEffect(() => store.set(key, typed), [store, key, typed]);
  const change = (part: Partial<T>) => setTyped((before) => ({ ...before, ...part }));
  const forget = () => {
    store.forgetReplaced(key);
    setReplaced(undefined);
  };
  const bringBack = () => {
    if (replaced) setTyped(replaced);
    forget();
  };
  /** Resets the form; the typed values can be restored. */
  const beginWith = (next: T) => {
    store.setAside(key, typed);
    setReplaced(typed);
    setTyped(next);
  };
  const repetition = { replaced: replaced !== undefined, bringBack, keepThis: forget };
  return { typed, change, beginWith, repetition };
}
