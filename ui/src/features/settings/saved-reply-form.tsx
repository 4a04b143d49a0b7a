import { Button, Group, Textarea, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { type FormEvent, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { SavedReply, SavedReplyList } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { LengthCounter, lengthOf } from "@/components/length-counter";
import styles from "@/components/styles.module.css";
import { useWordedError } from "@/components/use-worded-error";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { ResumedNote } from "./resumed-note";
import classes from "./settings.module.css";

interface SavedReplyFormProps {
  workspace: string;
  /** The list with its fields and limits. */
  list: SavedReplyList;
  /** The one that is changed; a new one where absent. */
  reply?: SavedReply;
}

/** Adds a saved reply, or changes one. */
export function SavedReplyForm({ workspace, list, reply }: SavedReplyFormProps) {
  const { t } = useTranslation("settings");
  const save = useCommand("save_saved_reply");
  const worded = useWordedError();
  const form = useForm({
    initial: { name: reply?.name ?? "", text: reply?.text ?? "" },
    errors: [worded(save.error?.error)],
    fields: ["name", "text"],
    onChange: save.reset,
    unfinished: { workspace, form: `saved reply ${reply?.id ?? ""}` },
  });
  const { values, change, errorOf } = form;
  const failure = save.error?.error;
  const hasOpenBraces = failure?.code === "invalidInput" && failure.problem === "text.braces";
  const area = useRef<HTMLTextAreaElement>(null);
  const discard = () => {
    form.reset();
    save.reset();
  };
  const close = () => {
    form.reset();
    modals.closeAll();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const text = withFields(
      values.text,
      Object.fromEntries(list.fields.map((field) => [t(`replies.field.${field}`), field])),
    );
    save.mutate({ name: values.name, text, workspace, id: reply?.id ?? null }, { onSuccess: close });
  };
  const insert = (field: string) => {
    const { current } = area;
    const at = current?.selectionEnd ?? values.text.length;
    const written = `{{${field}}}`;
    flushSync(() => change({ text: values.text.slice(0, at) + written + values.text.slice(at) }));
    current?.focus();
    current?.setSelectionRange(at + written.length, at + written.length);
  };
  return (
    <form ref={form.attach} onSubmit={onSubmit} className={classes.stepContent} noValidate>
      {form.isResumed && <ResumedNote text={t("replies.resumed")} onDiscard={discard} />}
      <TextInput
        label={t("replies.name")}
        description={t("replies.nameHint")}
        withAsterisk
        required
        data-autofocus
        data-field="name"
        autoComplete="off"
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errorOf("name")}
      />
      <Textarea
        ref={area}
        label={t("replies.body")}
        description={t("replies.bodyHint", { braces: "{{…}}" })}
        withAsterisk
        required
        autosize
        minRows={4}
        maxRows={14}
        data-field="text"
        value={values.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
        error={errorOf("text") && (hasOpenBraces ? t("replies.braces", { open: "{{", close: "}}" }) : errorOf("text"))}
      />
      <div className={classes.buttons}>
        <span className={styles.small}>{t("replies.insert")}</span>
        {list.fields.map((field) => (
          <Button key={field} size="compact-xs" variant="default" onClick={() => insert(field)}>
            {t(`replies.field.${field}`)}
          </Button>
        ))}
        <LengthCounter used={lengthOf(values.text)} limit={list.textLimit} />
      </div>
      {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={values.name.trim() === "" || values.text.trim() === ""}
        >
          {t("save", { ns: "common" })}
        </Button>
      </Group>
    </form>
  );
}

/** Text in which a field that is written by its shown name, such as `{{First name}}`, has its own name. */
function withFields(text: string, fields: Record<string, string>): string {
  const plain = (name: string) => name.trim().toLocaleLowerCase();
  const known = new Map(
    Object.entries(fields).flatMap(([shown, field]) => [
      [plain(shown), field],
      [plain(field), field],
    ]),
  );
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (written, name: string) => {
    const field = known.get(plain(name));
    return field === undefined ? written : `{{${field}}}`;
  });
}
