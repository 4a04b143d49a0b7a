// The values of the send forms by workspace.

import { useEffect, useMemo, useState } from "react";
import type { SendRequest, SendText } from "@/bindings/app";
import { dropForm, finishForm, keepForm, unfinishedForm } from "@/lib/unfinished-forms";

/** Callback data of a send, and how it is sent. */
export interface CallbackFormState {
  callbackData: string;
  track: boolean;
  exactCallback: boolean;
}

export type SendFormState = CallbackFormState & Pick<SendRequest, "number" | "to" | "country" | "values">;
export type TextFormState = CallbackFormState & Pick<SendText, "number" | "to" | "country" | "text" | "previewUrl">;

const NO_CALLBACK: CallbackFormState = { callbackData: "", track: true, exactCallback: false };
export const EMPTY_SEND_FORM: SendFormState = { number: "", to: "", values: {}, ...NO_CALLBACK };
export const EMPTY_TEXT_FORM: TextFormState = { number: "", to: "", text: "", previewUrl: false, ...NO_CALLBACK };

/** Which form of a workspace it is. */
interface FormKey {
  workspace: string;
  form: string;
}

class FormStateStore<T extends object> {
  constructor(private readonly hasContent: (typed: T) => boolean) {}

  get({ workspace, form }: FormKey): T | undefined {
    return unfinishedForm<T>(workspace, form);
  }

  set({ workspace, form }: FormKey, typed: T): void {
    if (this.hasContent(typed)) keepForm(workspace, form, typed);
    else dropForm(workspace, form);
  }

  /** Replaces the typed values by those of a send that is repeated. The typed values can be restored. */
  replace(key: FormKey, typed: T): void {
    const before = this.get(key);
    if (before && JSON.stringify(before) !== JSON.stringify(typed)) this.setAside(key, before);
    this.set(key, typed);
  }

  setAside(key: FormKey, typed: T): void {
    this.set(setAsideOf(key), typed);
  }

  replaced(key: FormKey): T | undefined {
    return this.get(setAsideOf(key));
  }

  forgetReplaced(key: FormKey): void {
    const { workspace, form } = setAsideOf(key);
    dropForm(workspace, form);
  }
}

const setAsideOf = ({ workspace, form }: FormKey): FormKey => ({ workspace, form: `replaced ${form}` });

export const sendForms = new FormStateStore<SendFormState>(
  ({ to, callbackData, values }) =>
    to !== "" || callbackData !== "" || Object.values(values).some((value) => value !== ""),
);
export const textForms = new FormStateStore<TextFormState>(
  ({ to, callbackData, text }) => to !== "" || callbackData !== "" || text !== "",
);

export const sendKey = (workspace: string, reference: string): FormKey => ({ workspace, form: `send ${reference}` });
export const textKey = (workspace: string): FormKey => ({ workspace, form: "text" });

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
  sendForms.replace(sendKey(workspace, reference), typed);
}

/** Fills the form of texts with the values of an earlier one. */
export function repeatText({ workspace, number, to, text, previewUrl, callbackData, track, exactCallback }: SendText) {
  const typed = { number, to, text, previewUrl, callbackData, track, exactCallback };
  textForms.replace(textKey(workspace), typed);
}

/** The form state under `key`, at first `initial`, and the values that a repetition replaced. */
export function useStoredFormState<T extends object>(
  store: FormStateStore<T>,
  { workspace, form }: FormKey,
  initial: () => T,
) {
  const key = useMemo(() => ({ workspace, form }), [workspace, form]);
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
  /** It was sent: what was typed stays only until the window closes, to send it again. */
  const sent = () => finishForm(workspace, form);
  const repetition = { replaced: replaced !== undefined, bringBack, keepThis: forget };
  return { typed, change, beginWith, sent, repetition };
}
