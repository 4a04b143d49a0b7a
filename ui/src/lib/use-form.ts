import { useEffect, useRef, useState } from "react";
import type { DeskError } from "@/bindings/app";

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

// Unsaved values by draft key: closing a form by mistake loses nothing.
const drafts = new Map<string, object>();

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
  /** Values survive the closing of the form under this key, until they are saved or discarded. */
  draftKey?: string;
}

export interface Form<T extends object> {
  values: T;
  /** The values without unsaved changes. */
  stored: T;
  change: (part: Partial<T>) => void;
  /** Drops the typed values. With `stored`, the form starts from these values instead of `initial`. */
  reset: (stored?: T) => void;
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

const unchanged = (path: string) => path;

/** Values, unsaved changes and field errors of a form. Typed values stay whatever the host answers. */
export function useForm<T extends object>({
  initial,
  errors = [],
  fields,
  fieldOf = unchanged,
  onChange,
  draftKey,
}: FormOptions<T>): Form<T> {
  const [base, setBase] = useState<T>();
  const [typed, setTyped] = useState<Partial<T>>(() => (draftKey === undefined ? {} : (drafts.get(draftKey) ?? {})));
  const [isResumed, setResumed] = useState(draftKey !== undefined && drafts.has(draftKey));
  const element = useRef<HTMLElement>(null);
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
      if (draftKey !== undefined) drafts.set(draftKey, next);
      setTyped(next);
      if (found.length > 0 || errors.every((error) => !error)) onChange?.();
    },
    reset: (next) => {
      if (draftKey !== undefined) drafts.delete(draftKey);
      setTyped({});
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
