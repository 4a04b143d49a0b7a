import { Button, Group, TagsInput, Textarea, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./recipients.module.css";

interface Typed {
  name: string;
  number: string;
  labels: string[];
  note: string;
}

const FIELDS = ["name", "number", "labels", "note"] as const satisfies readonly (keyof Typed)[];
const EMPTY: Typed = { name: "", number: "", labels: [], note: "" };

// What was typed and not saved, by workspace and recipient: closing the form by mistake loses nothing.
const kept = new Map<string, Typed>();

interface RecipientFormProps {
  workspace: string;
  /** The one that is changed; a new one where absent. */
  recipient?: Recipient | undefined;
  /** Labels in use, as suggestions. */
  labels: string[];
}

/** Adds somebody to the address book, or changes the entry. What is typed stays whatever the host says. */
export function RecipientForm({ workspace, recipient, labels }: RecipientFormProps) {
  const { t } = useTranslation("batches");
  const key = `${workspace} ${recipient?.id ?? ""}`;
  const stored: Typed = recipient ? { ...recipient, number: recipient.formatted || recipient.number } : EMPTY;
  const [typed, setTyped] = useState<Typed>(() => kept.get(key) ?? pick(stored));
  const [resumed, setResumed] = useState(kept.has(key));
  const form = useRef<HTMLFormElement>(null);
  const save = useCommand("save_recipient");
  const refused = save.error?.error.code === "invalidInput" ? save.error.error : undefined;
  const field = FIELDS.find((name) => name === refused?.field);
  const errorOf = (name: keyof Typed) => (field === name ? refused?.message : undefined);

  const change = (part: Partial<Typed>) => {
    const next = { ...typed, ...part };
    kept.set(key, next);
    setTyped(next);
    // A refusal of a value is answered by changing it; other refusals stay to be read.
    if (field) save.reset();
  };
  const discard = () => {
    kept.delete(key);
    setTyped(pick(stored));
    setResumed(false);
    save.reset();
  };
  const close = () => {
    kept.delete(key);
    modals.closeAll();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { ...typed, workspace, id: recipient?.id ?? null },
      {
        onSuccess: (saved) => {
          close();
          notifications.show({ message: t("recipient.saved", { name: nameOf(saved) }) });
        },
        onError: ({ error }) => {
          if (error.code !== "invalidInput") return;
          const at = `[data-field="${CSS.escape(error.field)}"]`;
          requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(at)?.focus());
        },
      },
    );
  };

  return (
    <form ref={form} onSubmit={submit} className={classes.form} noValidate>
      {resumed && (
        <p className={classes.resumed} role="status">
          {t("recipient.resumed")}
          <Button size="compact-xs" variant="default" onClick={discard}>
            {t("recipient.discard")}
          </Button>
        </p>
      )}
      <TextInput
        label={t("recipient.name")}
        data-field="name"
        data-autofocus
        autoComplete="off"
        value={typed.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errorOf("name")}
      />
      <TextInput
        label={t("recipient.number")}
        description={t("recipient.numberHint")}
        placeholder="+55 11 99999-0000"
        inputMode="tel"
        withAsterisk
        required
        data-field="number"
        autoComplete="off"
        value={typed.number}
        onChange={(event) => change({ number: event.currentTarget.value })}
        error={errorOf("number")}
      />
      <TagsInput
        label={t("recipient.labels")}
        description={t("recipient.labelsHint")}
        data-field="labels"
        data={labels}
        size="sm"
        acceptValueOnBlur
        value={typed.labels}
        onChange={(value) => change({ labels: value })}
        error={errorOf("labels")}
      />
      <Textarea
        label={t("recipient.note")}
        data-field="note"
        autosize
        minRows={2}
        maxRows={6}
        value={typed.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
        error={errorOf("note")}
      />
      {save.error && !field && <ErrorNotice error={save.error} />}
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("save", { ns: "common" })}
        </Button>
      </Group>
    </form>
  );
}

const pick = ({ name, number, labels, note }: Typed): Typed => ({ name, number, labels, note });

/** What a recipient is called: the name, or the number where there is none. */
export function nameOf({ name, formatted, number }: Recipient): string {
  return name || formatted || number;
}
