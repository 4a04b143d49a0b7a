import { Button, Group, Select, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useCreateDraft } from "@/lib/create-draft";
import { queries } from "@/lib/ipc/queries";
import { useForm } from "@/lib/use-form";

interface AddLanguageFormProps {
  /** The template whose texts are translated. */
  row: Pick<TemplateRow, "reference" | "language">;
  /** Languages that the name has. */
  existing: readonly string[];
}

/** Begins a draft of the same name in a language it does not have yet. */
export function AddLanguageForm({ row, existing: languagesOfName }: AddLanguageFormProps) {
  const { t } = useTranslation("templates");
  const languages = useQuery(queries.languages());
  const { begin, ...creation } = useCreateDraft();
  const form = useForm({ initial: { language: null as string | null } });
  const { language } = form.values;
  const existing = new Set(languagesOfName);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (language === null) return;
    begin({ fromTemplate: row.reference, language, edit: false }, { onSuccess: () => modals.closeAll() });
  };

  return (
    <form onSubmit={submit}>
      <Text size="sm" mb="sm">
        {t("addLanguage.text", { language: row.language })}
      </Text>
      {languages.isError && <ErrorNotice error={languages.error} onRetry={() => void languages.refetch()} />}
      <Select
        label={t("addLanguage.label")}
        data-autofocus
        searchable
        required
        withAsterisk={false}
        mb="sm"
        nothingFoundMessage={t("addLanguage.nothing")}
        comboboxProps={{ shadow: "md" }}
        data={(languages.data ?? []).map(({ code, name }) => ({
          value: code,
          label: existing.has(code) ? `${name} (${code}) — ${t("addLanguage.exists")}` : `${name} (${code})`,
          disabled: existing.has(code),
        }))}
        value={language}
        onChange={(next) => form.change({ language: next })}
      />
      {creation.error && <ErrorNotice error={creation.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" disabled={language === null} loading={creation.isPending}>
          {t("addLanguage.create")}
        </Button>
      </Group>
    </form>
  );
}
