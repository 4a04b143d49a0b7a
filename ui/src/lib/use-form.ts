import { useEffect, useRef, useState } from "react";
import type { DeskError } from "@/bindings/app";
import { dropForm, keepForm, unfinishedForm } from "./unfinished-forms";

interface FieldError {
  /** A path of the request, such as `numbers/0/id`. */
  field: string;
  message: string;
}

/** What an error of the host says about one field; `undefined` where it is about something else. */
function fieldErrorOf(error: DeskError | null | undefined): FieldError | undefined {
  if (error?.code === "invalidInput") return { field: error.field, message: error.message };
  // A secret that the keyring could not store.
  if (error?.code === "keyringUnavailable" && error.field != null) {
    return { field: error.field, message: error.reason };
  }
  return undefined;
}

/** Where unsaved values are kept, so that closing the form by mistake or a restart loses nothing. */
export interface Unfinished<T extends object> {
  workspace: string;
  /** Which form of the workspace it is. */
  form: string;
  /** The typed values that may be written to disk; all of them if absent. */
  storable?: (typed: Partial<T>) => Partial<T>;
}

interface FormOptions<T extends object> {
  /** The stored values. Fields without typed values follow it. */
  initial: T;
  /** Errors of the form's commands. The first one at a field moves the focus there. */
  errors?: readonly (DeskError | null | undefined)[];
  /** Fields that show their error themselves; every field if absent. */
  fields?: readonly string[] | RegExp;
  /** The form's field for a path of the host. */
  fieldOf?: (path: string, values: T) => string;
  /** Resets the commands. Called when a value changes, except while an error is shown that is not about a field. */
  onChange?: () => void;
  /** Values survive the closing of the form there, until they are saved or discarded. */
  unfinished?: Unfinished<T>;
}

export interface Form<T extends object> {
  values: T;
  /** The values without unsaved changes. */
  stored: T;
  change: (part: Partial<T>) => void;
  /** Drops the typed values. With `stored`, the form starts from these values instead of `initial`. */
  reset: (stored?: T) => void;
  /** Drops the typed values that were saved. Those typed since `sent` was sent stay. With `stored`, as for `reset`. */
  saved: (sent: T, stored?: T) => void;
  /** Whether a value differs from the stored one. */
  isDirty: boolean;
  /** Whether the form started from values of an earlier, unsaved form. */
  isResumed: boolean;
  errorOf: (field: string) => string | undefined;
  /** Whether `error` needs a notice because no field shows it. */
  needsNotice: (error: DeskError | null | undefined) => boolean;
  /** The `ref` of the element around the fields; a field is found by its `data-field`. */
  attach: (element: HTMLElement | null) => void;
}

const resumed = <T extends object>(unfinished: Unfinished<T> | undefined) =>
  unfinished && unfinishedForm<Partial<T>>(unfinished.workspace, unfinished.form);

function keep<T extends object>({ workspace, form, storable }: Unfinished<T>, typed: Partial<T>): void {
  const content = storable ? storable(typed) : typed;
  if (Object.keys(content).length > 0) keepForm(workspace, form, content);
  else dropForm(workspace, form);
}

const unchanged = (path: string) => path;

/** Values, unsaved changes and field errors of a form. Typed values stay whatever the host answers. */
export function useForm<T extends object>({
  initial,
  errors = [],
  fields,
  fieldOf = unchanged,
  onChange,
  unfinished,
}: FormOptions<T>): Form<T> {
  const [base, setBase] = useState<T>();
  const [typed, setTyped] = useState<Partial<T>>(() => resumed(unfinished) ?? {});
  const [isResumed, setResumed] = useState(() => resumed(unfinished) !== undefined);
  const element = useRef<HTMLElement>(null);
  // For answers that arrive after more was typed, also when the form is closed.
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  }, [typed]);
  const stored = base ?? initial;
  const values = { ...stored, ...typed };

  const hasField = (field: string) =>
    fields === undefined || (fields instanceof RegExp ? fields.test(field) : fields.includes(field));
  const placed = (error: DeskError | null | undefined): FieldError | undefined => {
    const found = fieldErrorOf(error);
    const field = found && fieldOf(found.field, values);
    return found && field !== undefined && hasField(field) ? { field, message: found.message } : undefined;
  };
  const found = errors.map(placed).filter((error) => error !== undefined);

  const [first] = errors;
  const firstField = placed(first)?.field;
  useEffect(() => {
    if (first && firstField !== undefined) {
      element.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(firstField)}"]`)?.focus();
    }
  }, [first, firstField]);

  return {
    values,
    stored,
    change: (part) => {
      const next = { ...typed, ...part };
      if (unfinished) keep(unfinished, next);
      setTyped(next);
      if (found.length > 0 || errors.every((error) => !error)) onChange?.();
    },
    reset: (next) => {
      if (unfinished) dropForm(unfinished.workspace, unfinished.form);
      setTyped({});
      setResumed(false);
      setBase(next);
    },
    saved: (sent, next) => {
      const now = latest.current;
      const names = (Object.keys(now) as (keyof T)[]).filter((name) => now[name] !== sent[name]);
      const since = Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<T>;
      if (unfinished) keep(unfinished, since);
      setTyped(since);
      setResumed(false);
      setBase(next);
    },
    isDirty: (Object.keys(typed) as (keyof T)[]).some(
      (name) => JSON.stringify(typed[name]) !== JSON.stringify(stored[name]),
    ),
    isResumed,
    errorOf: (field) => found.find((error) => error.field === field)?.message,
    needsNotice: (error) => error != null && (error.code !== "invalidInput" || placed(error) === undefined),
    attach: (node) => {
      element.current = node;
    },
  };
}
