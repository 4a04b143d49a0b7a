import { Button, Group, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type MouseEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { explicitNumber } from "@/lib/explicit-number";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { isolatedName, isolatedNumber } from "@/lib/isolate";
import { useForm } from "@/lib/use-form";
import { CountrySelect } from "./country-select";
import { ErrorNotice } from "./error-notice";
import { NumberNotes } from "./number-notes";
import { notedInput } from "./problem-notes";
import classes from "./recipient-form.module.css";
import { useCountryPlaceholder } from "./use-country-placeholder";
import { useWordedError } from "./use-worded-error";

interface Typed {
  name: string;
  number: string;
  country: string;
  labels: string[];
  note: string;
}

const FIELDS = ["name", "number", "labels", "note"] as const satisfies readonly (keyof Typed)[];
const EMPTY: Typed = { name: "", number: "", country: "", labels: [], note: "" };

/** What is known of a person who may be added. */
export type Suggested = Pick<Typed, "name" | "number">;

interface RecipientFormProps {
  workspace: string;
  /** The one that is changed; a new one where absent. */
  recipient?: Recipient | undefined;
  /** Where a new one starts. */
  suggested?: Suggested | undefined;
  /** Labels in use, as suggestions. */
  labels: string[];
}

/** Adds a recipient to the address book, or changes one. Typed text is kept when the host refuses it. */
export function RecipientForm({ workspace, recipient, suggested, labels }: RecipientFormProps) {
  const { t } = useTranslation("batches");
  const countryPlaceholder = useCountryPlaceholder();
  const save = useCommand("save_recipient");
  const worded = useWordedError();
  const form = useForm<Typed>({
    initial: recipient
      ? pick({ ...recipient, country: "", number: recipient.formatted || recipient.number })
      : { ...EMPTY, ...suggested },
    errors: [worded(save.error?.error)],
    fields: FIELDS,
    onChange: save.reset,
    unfinished: { workspace, form: `recipient ${recipient?.id ?? suggested?.number ?? ""}` },
  });
  const { values, change, errorOf } = form;
  const client = useQueryClient();
  const number = useRef<HTMLInputElement>(null);
  const [isNumberLeft, setNumberLeft] = useState(false);
  const isChecking = useRef(false);
  // The notation of its country could be another number, or the same person's in another spelling.
  const written = recipient && values.number === form.stored.number ? explicitNumber(recipient.number) : values.number;
  const typed = useMemo(
    () => ({ workspace, number: written, country: values.country || null }),
    [workspace, written, values.country],
  );
  const [debounced] = useDebouncedValue(typed, 100);
  const check = useQuery(queries.recipientCheck(debounced));
  const known = debounced === typed && !check.isPlaceholderData ? check.data?.recipient : undefined;
  const problems = isNumberLeft ? (check.data?.problems ?? []) : [];

  // Leaving the field shows its problems above the buttons, which would move away from the pointer before it is released.
  const keepNumber = (event: MouseEvent) => {
    if (document.activeElement === number.current) event.preventDefault();
  };
  const discard = () => {
    form.reset();
    save.reset();
  };
  const close = () => {
    form.reset();
    modals.closeAll();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isChecking.current || save.isPending) return;
    isChecking.current = true;
    setNumberLeft(true);
    // What is shown may be a moment older than what is typed. Where the check fails, saving will tell.
    const wrong = await client.fetchQuery({ ...queries.recipientCheck(typed), staleTime: 0 }).then(
      (checked) => checked.problems.some(({ severity }) => severity === "error"),
      () => false,
    );
    isChecking.current = false;
    if (wrong) return number.current?.focus();
    save.mutate(
      { ...values, ...typed, id: recipient?.id ?? null },
      {
        onSuccess: (saved) => {
          close();
          notifications.show({
            message: t("recipient.saved", {
              name: isolatedName(nameOf(saved)),
              number: isolatedNumber(saved.formatted),
              nest: false,
            }),
          });
        },
      },
    );
  };

  return (
    <form ref={form.attach} onSubmit={(event) => void submit(event)} className={classes.form} noValidate>
      {form.isResumed && (
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
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errorOf("name")}
      />
      <TextInput
        ref={number}
        label={t("recipient.number")}
        placeholder="+55 11 99999-0000"
        inputMode="tel"
        withAsterisk
        required
        data-field="number"
        autoComplete="off"
        value={values.number}
        onChange={(event) => change({ number: event.currentTarget.value })}
        onBlur={() => setNumberLeft(true)}
        {...notedInput({
          problems,
          error: errorOf("number"),
          children: (
            <NumberNotes
              known={known}
              problems={problems}
              hint={t("recipient.numberHint")}
              onUse={(next) => change({ number: next })}
            />
          ),
        })}
      />
      <CountrySelect
        label={t("country.labelOne", { ns: "common" })}
        placeholder={countryPlaceholder}
        value={values.country}
        onChange={(country) => change({ country })}
      />
      <TagsInput
        label={t("recipient.labels")}
        description={t("recipient.labelsHint")}
        data-field="labels"
        data={labels}
        size="sm"
        acceptValueOnBlur
        value={values.labels}
        // A separator that is typed into the empty field separates nothing.
        onChange={(value) => change({ labels: value.filter((label) => label.trim() !== "") })}
        error={errorOf("labels")}
      />
      <Textarea
        label={t("recipient.note")}
        data-field="note"
        autosize
        minRows={2}
        maxRows={6}
        value={values.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
        error={errorOf("note")}
      />
      {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
      <Group justify="flex-end" gap="0.5rem" onMouseDown={keepNumber}>
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

const pick = ({ name, number, country, labels, note }: Typed): Typed => ({ name, number, country, labels, note });

/** What a recipient is called: the name, or the number where there is none. */
export function nameOf({ name, formatted, number }: Recipient): string {
  return name || formatted || number;
}
