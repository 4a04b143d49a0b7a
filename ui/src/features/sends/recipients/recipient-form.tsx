import { Button, Group, TagsInput, Textarea, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { CountrySelect } from "@/components/country-select";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import classes from "./recipients.module.css";

interface Typed {
  name: string;
  number: string;
  country: string;
  labels: string[];
  note: string;
}

const FIELDS = ["name", "number", "country", "labels", "note"] as const satisfies readonly (keyof Typed)[];
const EMPTY: Typed = { name: "", number: "", country: "", labels: [], note: "" };

interface RecipientFormProps {
  workspace: string;
  /** The one that is changed; a new one where absent. */
  recipient?: Recipient | undefined;
  /** Labels in use, as suggestions. */
  labels: string[];
}

/** Adds a recipient to the address book, or changes one. Typed text is kept when the host refuses it. */
export function RecipientForm({ workspace, recipient, labels }: RecipientFormProps) {
  const { t } = useTranslation("batches");
  const save = useCommand("save_recipient");
  const form = useForm<Typed>({
    initial: recipient ? pick({ ...recipient, country: "", number: recipient.formatted || recipient.number }) : EMPTY,
    errors: [save.error?.error],
    fields: FIELDS,
    onChange: save.reset,
    unfinished: { workspace, form: `recipient ${recipient?.id ?? ""}` },
  });
  const { values, change, errorOf } = form;

  const discard = () => {
    form.reset();
    save.reset();
  };
  const close = () => {
    form.reset();
    modals.closeAll();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { ...values, country: values.country || null, workspace, id: recipient?.id ?? null },
      {
        onSuccess: (saved) => {
          close();
          notifications.show({
            message: t("recipient.saved", { name: nameOf(saved), number: saved.formatted, nest: false }),
          });
        },
      },
    );
  };

  return (
    <form ref={form.attach} onSubmit={submit} className={classes.form} noValidate>
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
        label={t("recipient.number")}
        description={t("recipient.numberHint")}
        placeholder="+55 11 99999-0000"
        inputMode="tel"
        withAsterisk
        required
        data-field="number"
        autoComplete="off"
        value={values.number}
        onChange={(event) => change({ number: event.currentTarget.value })}
        error={errorOf("number")}
      />
      <CountrySelect
        description={t("recipient.countryHint")}
        placeholder={t("form.countryOfWorkspace", { ns: "sends" })}
        value={values.country}
        onChange={(country) => change({ country })}
        error={errorOf("country")}
      />
      <TagsInput
        label={t("recipient.labels")}
        description={t("recipient.labelsHint")}
        data-field="labels"
        data={labels}
        size="sm"
        acceptValueOnBlur
        value={values.labels}
        onChange={(value) => change({ labels: value })}
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

const pick = ({ name, number, country, labels, note }: Typed): Typed => ({ name, number, country, labels, note });

/** What a recipient is called: the name, or the number where there is none. */
export function nameOf({ name, formatted, number }: Recipient): string {
  return name || formatted || number;
}
