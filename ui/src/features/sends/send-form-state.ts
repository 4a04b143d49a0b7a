// What a person typed into the forms of sends, by workspace, as long as the window lives: a look at another screen must
// not cost it.

import { useEffect, useState } from "react";
import type { SendRequest, SendText } from "@/bindings/app";

/** What joins the callback data of a send, and how. */
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

class Memory<T extends object> {
  private readonly typed = new Map<string, T>();
  private readonly before = new Map<string, T>();

  recall(key: string): T | undefined {
    return this.typed.get(key);
  }

  remember(key: string, typed: T): void {
    this.typed.set(key, typed);
  }

  /** Puts a send that is to be repeated in the place of what was typed, which can be brought back. */
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

export const sendForms = new Memory<SendFormState>();
export const textForms = new Memory<TextFormState>();

export const sendKey = (workspace: string, reference: string) => `${workspace} ${reference}`;

/** Fills the form of the template with what an earlier send had. */
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

/** Fills the form of free texts with what an earlier one had. */
export function repeatText({ workspace, number, to, text, previewUrl, callbackData, track, exactCallback }: SendText) {
  const typed = { number, to, text, previewUrl, callbackData, track, exactCallback };
  textForms.replace(workspace, typed, (before) => before.text !== "");
}

/** What is typed under `key`, begun with `initial`, and how it changes; besides what a repetition replaced. */
export function useStoredFormState<T extends object>(memory: Memory<T>, key: string, initial: () => T) {
  const [typed, setTyped] = useState<T>(() => memory.recall(key) ?? initial());
  const [replaced, setReplaced] = useState(() => memory.replaced(key));
  useEffect(() => memory.remember(key, typed), [memory, key, typed]);
  const change = (part: Partial<T>) => setTyped((before) => ({ ...before, ...part }));
  const forget = () => {
    memory.forgetReplaced(key);
    setReplaced(undefined);
  };
  const bringBack = () => {
    if (replaced) setTyped(replaced);
    forget();
  };
  /** Resets the form; the typed values can be restored. */
  const beginWith = (next: T) => {
    memory.setAside(key, typed);
    setReplaced(typed);
    setTyped(next);
  };
  const repetition = { replaced: replaced !== undefined, bringBack, keepThis: forget };
  return { typed, change, beginWith, repetition };
}
