import type { ComboboxItem, ComboboxItemGroup, OptionsFilter } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { templateQuery } from "@/lib/template-filter";
import { hasWords, plain } from "@/lib/words";

/** The languages that templates can have, named as people of the app's language say them, with their codes. */
export function useLanguageOptions() {
  const query = useQuery(queries.languages());
  const languageName = useLanguageName();
  const options = (query.data ?? []).map(({ code, name }) => {
    const own = languageName(code);
    return { value: code, label: `${own === code ? name : own} (${code})` };
  });
  return { query, options };
}

/** Puts the languages in use in a workspace on top, the most used first. */
export function useUsedLanguagesFirst(workspace: string) {
  const { t } = useTranslation("composer");
  const facets = useQuery(queries.templates(templateQuery(workspace, {}), 0, 1)).data?.facets;
  const usage = new Map(facets?.languages.map(({ value, count }) => [value, count]));
  return <T extends ComboboxItem>(options: T[]): T[] | ComboboxItemGroup<T>[] => {
    const used = options.filter(({ value }) => usage.has(value));
    if (used.length === 0) return options;
    used.sort((a, b) => (usage.get(b.value) ?? 0) - (usage.get(a.value) ?? 0));
    return [
      { group: t("languagesUsed"), items: used },
      { group: t("languagesOther"), items: options.filter(({ value }) => !usage.has(value)) },
    ];
  };
}

/** What is typed finds a language by its code first, then by the beginning of its name or code, then by any part of them. */
export const filterLanguages: OptionsFilter = ({ options, search }) => {
  const words = plain(search.trim());
  if (words === "") return options;
  const rank = ({ value, label }: ComboboxItem) => {
    if (plain(value) === words) return 0;
    if (plain(label).startsWith(words)) return 1;
    return plain(value).startsWith(words) ? 2 : 3;
  };
  return options
    .flatMap((option) => ("group" in option ? option.items : option) as ComboboxItem[])
    .filter(({ label }) => hasWords(label, words))
    .map((option) => ({ option, rank: rank(option) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
};
