import { Button, Group, Select, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { CountrySelect } from "@/components/country-select";
import { ErrorNotice } from "@/components/error-notice";
import { useProblemText } from "@/components/send-problem-text";
import { useWordedError } from "@/components/use-worded-error";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useForm } from "@/lib/use-form";
import { ResumedNote } from "./resumed-note";
import classes from "./settings.module.css";

/** Adds a person who wants no marketing messages. */
export function OptOutForm({ workspace }: { workspace: string }) {
  const { t } = useTranslation("settings");
  const add = useCommand("add_opt_out");
  const problemText = useProblemText();
  const problem = add.data?.problem;
  const settings = useQuery(queries.workspace(workspace)).data?.settings;
  const worded = useWordedError();
  const form = useForm({
    initial: { person: "", country: "", number: "" },
    errors: [
      problem ? { code: "invalidInput", field: "person", message: problemText(problem) } : worded(add.error?.error),
    ],
    fields: ["person"],
    onChange: add.reset,
    unfinished: { workspace, form: "opt-out" },
  });
  const { values, change, errorOf } = form;
  const numbers = settings?.numbers ?? [];
  const close = () => {
    form.reset();
    modals.closeAll();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { person, country, number } = values;
    add.mutate(
      { workspace, person, country: country || settings?.defaultCountry || null, number: number || null },
      { onSuccess: ({ problem }) => problem == null && close() },
    );
  };
  const discard = () => {
    form.reset();
    add.reset();
  };
  return (
    <form ref={form.attach} onSubmit={onSubmit} className={classes.stepContent} noValidate>
      {form.isResumed && <ResumedNote text={t("optOuts.resumed")} onDiscard={discard} />}
      <TextInput
        label={t("optOuts.person")}
        description={t("optOuts.personHint")}
        withAsterisk
        required
        data-autofocus
        data-field="person"
        autoComplete="off"
        value={values.person}
        onChange={(event) => change({ person: event.currentTarget.value })}
        error={errorOf("person")}
      />
      <CountrySelect
        value={values.country || (settings?.defaultCountry ?? "")}
        onChange={(country) => change({ country })}
      />
      {numbers.length > 1 && (
        <Select
          label={t("optOuts.for")}
          description={t("optOuts.forHint")}
          data={[
            { value: "", label: t("optOuts.everywhere") },
            ...numbers.map(({ id, label }) => ({ value: id, label: label || id })),
          ]}
          value={values.number}
          onChange={(number) => change({ number: number ?? "" })}
          allowDeselect={false}
        />
      )}
      {form.needsNotice(add.error?.error) && <ErrorNotice error={add.error} />}
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" loading={add.isPending} disabled={values.person.trim() === ""}>
          {t("optOuts.addNow")}
        </Button>
      </Group>
    </form>
  );
}
