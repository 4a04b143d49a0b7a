import { Button, Group, Select, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useCreateDraft } from "@/lib/create-draft";
import { useWorkspace } from "@/lib/desk";
import { filterLanguages, useLanguageOptions, useUsedLanguagesFirst } from "@/lib/language-options";
import { useForm } from "@/lib/use-form";
import { useDraftOf } from "./use-draft-of";

interface AddLanguageFormProps {
  /** The template whose texts are translated. */
  row: Pick<TemplateRow, "reference" | "name" | "language">;
  /** Languages that the name has. */
  existing: readonly string[];
}

/** Begins a draft of the same name in a language it does not have yet. */
export function AddLanguageForm({ row, existing: languagesOfName }: AddLanguageFormProps) {
  const { t } = useTranslation("templates");
  const { query: languages, options } = useLanguageOptions();
  const usedFirst = useUsedLanguagesFirst(useWorkspace().id);
  const { begin, ...creation } = useCreateDraft();
  const form = useForm({ initial: { language: null as string | null } });
  const { language } = form.values;
  const existing = new Set(languagesOfName);
  const navigate = useNavigate();
  const draftOf = useDraftOf(row.name);
  const draft = language === null ? undefined : draftOf(language);
  const note = (code: string) =>
    existing.has(code)
      ? ` — ${t("addLanguage.exists")}`
      : draftOf(code) === undefined
        ? ""
        : ` — ${t("addLanguage.draft")}`;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (language === null) return;
    if (draft !== undefined) {
      modals.closeAll();
      void navigate({ to: "/drafts/$draft", params: { draft } });
      return;
    }
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
        filter={filterLanguages}
        data={usedFirst(
          options.map(({ value, label }) => ({
            value,
            label: `${label}${note(value)}`,
            disabled: existing.has(value),
          })),
        )}
        value={language}
        onChange={(next) => form.change({ language: next })}
      />
      {draft !== undefined && (
        <Text size="sm" mb="sm" role="status">
          {t("addLanguage.draftText")}
        </Text>
      )}
      {creation.error && <ErrorNotice error={creation.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" disabled={language === null} loading={creation.isPending}>
          {t(draft === undefined ? "addLanguage.create" : "addLanguage.open")}
        </Button>
      </Group>
    </form>
  );
}
