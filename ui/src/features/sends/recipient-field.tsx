import { Autocomplete, type ComboboxItem, type ComboboxParsedItem } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RecipientFacts } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import classes from "./fields.module.css";
import { notedInput } from "./problem-notes";
import { sendsQueries } from "./queries";

interface RecipientFieldProps {
  workspace: string;
  value: string;
  onChange: (to: string) => void;
  onBlur: () => void;
  /** Recipients of earlier sends, newest first. */
  recent: readonly string[];
  problems: readonly SendProblem[];
  error?: string | undefined;
  /** What is known about the typed number. */
  known?: RecipientFacts | undefined;
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Who gets the message: typed, of the address book, or one of before. */
export function RecipientField(props: RecipientFieldProps) {
  const { workspace, value, onChange, onBlur, recent, problems, error, known } = props;
  const { t, i18n } = useTranslation("sends");
  const book = useQuery(sendsQueries.recipients({ workspace })).data?.rows;
  const names = useMemo(
    () => new Map((book ?? []).map(({ number, name, formatted }) => [number, { name, formatted }])),
    [book],
  );
  const data = useMemo(() => {
    const numbers = [...names.keys()];
    const others = recent.filter((number) => !names.has(number));
    return [
      ...(numbers.length > 0 ? [{ group: t("form.book"), items: numbers }] : []),
      ...(others.length > 0 ? [{ group: t("form.recent"), items: [...new Set(others)] }] : []),
    ];
  }, [names, recent, t]);

  const fits = (number: string, search: string) => {
    const words = search.trim().toLowerCase();
    const digits = digitsOf(words);
    const name = names.get(number)?.name.toLowerCase() ?? "";
    return words === "" || name.includes(words) || (digits !== "" && number.includes(digits));
  };
  const filter = ({ options, search, limit }: { options: ComboboxParsedItem[]; search: string; limit: number }) => {
    let left = limit;
    const some = (items: ComboboxItem[]) => {
      const found = items.filter(({ value: number }) => fits(number, search)).slice(0, left);
      left -= found.length;
      return found;
    };
    return options.map((option) => ("group" in option ? { ...option, items: some(option.items) } : option));
  };

  const name = names.get(digitsOf(value))?.name;
  const country = known?.country ? countryName(known.country, i18n.language) : undefined;
  const facts = [name, known?.formatted, country].filter(Boolean).join(" · ");
  return (
    <Autocomplete
      label={t("form.to")}
      placeholder="+55 11 91234-5678"
      withAsterisk
      required
      inputMode="tel"
      autoComplete="off"
      data-field="to"
      data={data}
      filter={filter}
      limit={20}
      maxDropdownHeight={260}
      openOnFocus={false}
      renderOption={({ option }) => {
        const entry = names.get(option.value);
        return entry ? (
          <span className={classes.option}>
            <span>{entry.name}</span>
            <span>{entry.formatted}</span>
          </span>
        ) : (
          option.value
        );
      }}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      {...notedInput({ problems, error, children: <span>{facts || t("form.toHint")}</span> })}
    />
  );
}

function countryName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
