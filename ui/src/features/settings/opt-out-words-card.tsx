import { Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OptOutWords } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { settingsQueries } from "./queries";
import { ResumedNote } from "./resumed-note";
import classes from "./settings.module.css";

/** The words that count as an opt-out when a person writes or taps nothing else. */
export function OptOutWordsCard() {
  const { t } = useTranslation("settings");
  const { id } = useWorkspace();
  const words = useQuery(settingsQueries.optOutWords(id));
  return (
    <Card title={t("optOuts.words.title")} text={t("optOuts.words.text")}>
      {words.error && <ErrorNotice error={words.error} onRetry={() => void words.refetch()} />}
      {words.isPending && <Loading rows={3} />}
      {words.data && <WordsForm workspace={id} list={words.data} />}
    </Card>
  );
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

function WordsForm({ workspace, list }: { workspace: string; list: OptOutWords }) {
  const { t } = useTranslation("settings");
  const save = useCommand("save_opt_out_words");
  const stored = list.words.join("\n");
  const fault = save.data?.fault;
  const form = useForm({
    initial: { words: stored },
    errors: [
      fault
        ? {
            code: "invalidInput",
            field: "words",
            message: t(`optOuts.words.fault.${fault.code}`, { ...fault, nest: false }),
          }
        : save.error?.error,
    ],
    fields: ["words"],
    onChange: save.reset,
    unfinished: { workspace, form: "opt-out words" },
  });
  const { values, change, errorOf } = form;
  const lines = linesOf(values.words);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { workspace, words: lines },
      { onSuccess: ({ saved }) => saved && form.saved(values, { words: saved.words.join("\n") }) },
    );
  };
  const discard = () => {
    form.reset();
    save.reset();
  };
  return (
    <form ref={form.attach} onSubmit={onSubmit} className={classes.stepContent} noValidate>
      {form.isResumed && <ResumedNote text={t("optOuts.words.resumed")} onDiscard={discard} />}
      <Textarea
        label={t("optOuts.words.label")}
        description={t("optOuts.words.hint")}
        autosize
        minRows={4}
        maxRows={12}
        data-field="words"
        value={values.words}
        onChange={(event) => change({ words: event.currentTarget.value })}
        error={errorOf("words")}
      />
      {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
      <div className={classes.buttons}>
        <Button type="submit" loading={save.isPending} disabled={values.words === stored}>
          {t("save", { ns: "common" })}
        </Button>
        <Button
          variant="subtle"
          disabled={values.words === list.preset.join("\n")}
          onClick={() => change({ words: list.preset.join("\n") })}
        >
          {t("optOuts.words.restore")}
        </Button>
        <span className={styles.muted}>{t("optOuts.words.count", { count: lines.length, limit: list.limit })}</span>
      </div>
    </form>
  );
}
