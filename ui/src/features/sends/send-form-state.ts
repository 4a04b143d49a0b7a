// The values of the send forms by workspace, template and conversation.

import { useEffect, useMemo, useState } from "react";
import type { SendRequest, SendText } from "@/bindings/app";
import { dropForm, keepForm, unfinishedForm } from "@/lib/unfinished-forms";
import { useStable } from "./use-stable";

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
  /** The recipient that a reply begins with. */
  person: string;
}

class FormStateStore<T extends { to: string }> {
  /** Earlier sends that the next form under the key begins with. */
  private readonly repetitions = new Map<string, T>();

  constructor(private readonly hasContent: (typed: T) => boolean) {}

  get({ workspace, form }: FormKey): T | undefined {
    return unfinishedForm<T>(workspace, form);
  }

  set(key: FormKey, typed: T): void {
    if (typed.to !== key.person || this.hasContent(typed)) keepForm(key.workspace, key.form, typed);
    else this.drop(key);
  }

  drop({ workspace, form }: FormKey): void {
    dropForm(workspace, form);
  }

  /** Replaces the typed values by those of a send that is repeated. The typed values can be restored. */
  repeat(key: FormKey, typed: T): void {
    const before = this.get(key);
    if (before && JSON.stringify(before) !== JSON.stringify(typed)) this.setAside(key, before);
    this.repetitions.set(nameOf(key), typed);
  }

  repetition(key: FormKey): T | undefined {
    return this.repetitions.get(nameOf(key));
  }

  /** The repetition is in its form. */
  repeated(key: FormKey): void {
    this.repetitions.delete(nameOf(key));
  }

  setAside(key: FormKey, typed: T): void {
    this.set(setAsideOf(key), typed);
  }

  replaced(key: FormKey): T | undefined {
    return this.get(setAsideOf(key));
  }

  forgetReplaced(key: FormKey): void {
    this.drop(setAsideOf(key));
  }
}

const nameOf = ({ workspace, form }: FormKey) => `${workspace} ${form}`;
const setAsideOf = (key: FormKey): FormKey => ({ ...key, form: `replaced ${key.form}` });

const isAnyFilled = (values: Readonly<Record<string, string>>) => Object.values(values).some((value) => value !== "");

export const sendForms = new FormStateStore<SendFormState>(
  ({ callbackData, values }) => callbackData !== "" || isAnyFilled(values),
);
export const textForms = new FormStateStore<TextFormState>(
  ({ callbackData, text }) => callbackData !== "" || text !== "",
);

const keyOf = (workspace: string, form: string, person = ""): FormKey => ({
  workspace,
  form: person === "" ? form : `${form} to ${person}`,
  person,
});

/** The form of a template; that of a reply belongs to the person who is answered. */
export const sendKey = (workspace: string, reference: string, person?: string): FormKey =>
  keyOf(workspace, `send ${reference}`, person);
export const textKey = (workspace: string, person?: string): FormKey => keyOf(workspace, "text", person);

/** The recipient and values of the last accepted send of each template, while the window is open. */
const lastSent = new Map<string, Pick<SendFormState, "to" | "values">>();

export const lastSentOf = (workspace: string, reference: string) => lastSent.get(`${workspace} ${reference}`);

export function rememberSent(workspace: string, reference: string, sent: Pick<SendFormState, "to" | "values">): void {
  lastSent.set(`${workspace} ${reference}`, sent);
}

/** Fills the form of the template with the values of an earlier send, and returns whom that answered. */
export function repeatSend({
  workspace,
  reference,
  number,
  to,
  values,
  callbackData,
  track,
  exactCallback,
  answers,
}: SendRequest): string | undefined {
  const typed = { number, to, values, callbackData, track, exactCallback };
  const person = answers === true ? to : undefined;
  sendForms.repeat(sendKey(workspace, reference, person), typed);
  return person;
}

/** Whether a recipient, as typed, is the person of a conversation. */
export function isAddressOf(person: string | undefined, to: string): boolean {
  const digits = (address: string) => address.replace(/\D/gu, "");
  return person !== undefined && (to.trim() === person || (digits(to) !== "" && digits(to) === digits(person)));
}

/** Fills the form of texts with the values of an earlier one. */
export function repeatText({ workspace, number, to, text, previewUrl, callbackData, track, exactCallback }: SendText) {
  const typed = { number, to, text, previewUrl, callbackData, track, exactCallback };
  textForms.repeat(textKey(workspace), typed);
}

interface StoredFormOptions<T> {
  initial: () => T;
  /** What of the typed values may outlive the form; all of them if absent. */
  storable?: (typed: T) => T;
}

/** The form state under the key, at first the initial one, and the values that a repetition replaced. */
export function useStoredFormState<T extends { to: string }>(
  store: FormStateStore<T>,
  { workspace, form, person }: FormKey,
  { initial, storable = unchanged }: StoredFormOptions<T>,
) {
  const key = useMemo(() => ({ workspace, form, person }), [workspace, form, person]);
  const [begun] = useState(() => store.repetition(key) ?? store.get(key) ?? initial());
  const [typed, setTyped] = useState(begun);
  const [isRestored, setRestored] = useState(() => store.get(key) === begun);
  const [replaced, setReplaced] = useState(() => store.replaced(key));
  const [isCleared, setCleared] = useState(false);
  useEffect(() => store.repeated(key), [store, key]);
  const kept = useStable(storable);
  useEffect(() => store.set(key, kept(typed)), [store, key, kept, typed]);
  const change = (part: Partial<T>) => setTyped((before) => ({ ...before, ...part }));
  const forget = () => {
    store.forgetReplaced(key);
    setReplaced(undefined);
    setCleared(false);
  };
  const bringBack = () => {
    if (replaced) setTyped(replaced);
    forget();
  };
  /** Resets the form; the typed values can be restored. */
  const beginWith = (next: T) => {
    store.setAside(key, storable(typed));
    setReplaced(typed);
    setCleared(true);
    setRestored(false);
    setTyped(next);
  };
  const startEmpty = () => beginWith(initial());
  /** Takes the recipient of a link. What was typed for another person is set aside. */
  const address = (preset: Partial<T> & { to: string }) => {
    if (typed.to !== preset.to && typed.to !== "") beginWith({ ...initial(), ...preset });
    else change(preset);
  };
  /** It was sent: nothing of it fills the next form, nor what was cleared before it. */
  const sent = () => {
    store.drop(key);
    if (isCleared) store.forgetReplaced(key);
  };
  const repetition = { replaced: replaced !== undefined, bringBack, keepThis: forget };
  return { typed, change, beginWith, startEmpty, address, sent, repetition, restored: isRestored ? begun : undefined };
}

const unchanged = <T>(typed: T) => typed;
