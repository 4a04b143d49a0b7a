import { Button, Group, Select, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { queries } from "@/lib/ipc/queries";
import { useCreateDraft } from "./use-create-draft";

/** Begins a draft of the same name in a language it does not have yet. */
export function AddLanguageForm({ detail: { row, languages: others } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const languages = useQuery(queries.languages());
  const [language, setLanguage] = useState<string | null>(null);
  const { begin, ...creation } = useCreateDraft();
  const existing = new Set([row.language, ...others.map((other) => other.language)]);

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
        onChange={setLanguage}
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
