import { Autocomplete, type ComboboxItem, type ComboboxParsedItem } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecipientFacts } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { CountrySelect } from "@/components/country-select";
import { NumberNotes } from "@/components/number-notes";
import { notedInput } from "@/components/problem-notes";
import { useCountryPlaceholder } from "@/components/use-country-placeholder";
import { explicitNumber } from "@/lib/explicit-number";
import classes from "./fields.module.css";
import { type PeopleGroup, type Person, usePeople } from "./people";

interface RecipientFieldProps {
  workspace: string;
  sandbox: boolean;
  value: string;
  onChange: (to: string) => void;
  /** Country of a number without country code, as the person chose it; empty for that of the workspace. */
  country: string;
  onCountry: (country: string) => void;
  onBlur: () => void;
  problems: readonly SendProblem[];
  error?: string | undefined;
  /** What is known about the typed number. */
  known?: RecipientFacts | undefined;
}

/** Options of each group that are found by typing, and that are offered before. */
const MAX_OPTIONS = 100;
const MAX_UNASKED = 6;

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Who gets the message: a phone of the sandbox, a person of the address book or of recent messages, or any typed number. */
export function RecipientField(props: RecipientFieldProps) {
  const {
    workspace,
    sandbox,
    value,
    onChange,
    country: chosenCountry,
    onCountry,
    onBlur,
    problems,
    error,
    known,
  } = props;
  const { t } = useTranslation("sends");
  const countryPlaceholder = useCountryPlaceholder();
  const groups = usePeople(workspace, sandbox);
  const people = useMemo(
    () => new Map(groups.flatMap((group) => group.people).map((one) => [one.number, one])),
    [groups],
  );
  const data = useMemo(
    () =>
      groups.map(({ source, people }) => ({
        group: t(GROUPS[source]),
        items: people.map(({ number }) => explicitNumber(number)),
      })),
    [groups, t],
  );

  // Without its country code, the number of somebody else may have the same digits. A user ID is what it is.
  const personOf = (text: string) => {
    const typed = text.trim();
    if (typed.startsWith("+")) return people.get(digitsOf(typed));
    return /^\d/.test(typed) ? undefined : people.get(typed);
  };
  const chosen = known?.digits ? people.get(known.digits) : personOf(value);
  const filter = ({ options, search, limit }: { options: ComboboxParsedItem[]; search: string; limit: number }) => {
    // Opened again, the list offers everybody, not only the one who was chosen.
    const words = personOf(search) ? "" : search;
    const most = words === "" ? MAX_UNASKED : limit;
    const some = (items: ComboboxItem[]) => items.filter((item) => fits(personOf(item.value), words)).slice(0, most);
    return options.map((option) => ("group" in option ? { ...option, items: some(option.items) } : option));
  };

  const asksCountry = problems.some(({ code }) => code === "to.countryUnknown");
  const needsCountry = asksCountry || known?.countryAssumed === true || chosenCountry !== "";
  // It stays while the number is read again with another choice, or with none.
  const [hasCountry, setHasCountry] = useState(needsCountry);
  if (needsCountry && !hasCountry) setHasCountry(true);
  return (
    <div className={classes.recipient}>
      <Autocomplete
        label={t("form.to")}
        placeholder={t("form.toPlaceholder")}
        withAsterisk
        required
        autoComplete="off"
        data-field="to"
        data={data}
        filter={filter}
        limit={MAX_OPTIONS}
        maxDropdownHeight={320}
        openOnFocus={false}
        clearable
        clearButtonProps={{ "aria-label": t("form.clearTo") }}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        renderOption={({ option }) => <Option person={personOf(option.value)} number={option.value} />}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        {...notedInput({
          problems,
          error,
          children: (
            <NumberNotes
              known={known}
              person={chosen}
              problems={problems}
              hint={error === undefined ? t(sandbox ? "form.toSandboxHint" : "form.toHint") : undefined}
              onUse={onChange}
            />
          ),
        })}
      />
      {hasCountry && (
        <CountrySelect
          label={t("country.labelOne", { ns: "common" })}
          value={chosenCountry}
          onChange={onCountry}
          placeholder={asksCountry ? t("form.countryAsk") : countryPlaceholder}
        />
      )}
    </div>
  );
}

const GROUPS = {
  phones: "form.phones",
  book: "form.book",
  recent: "form.recent",
} as const satisfies Record<PeopleGroup["source"], string>;

/** Name and number on a line each, so that neither is cut. */
function Option({ person, number }: { person: Person | undefined; number: string }) {
  const shown = person?.formatted ?? number;
  return (
    <span className={classes.option}>
      <span>{person?.name || shown}</span>
      {person?.name && <span>{shown}</span>}
    </span>
  );
}

/** By words of the name, or by part of the number however it is spaced. */
function fits(person: Person | undefined, search: string): boolean {
  if (!person) return false;
  const words = search.trim().toLocaleLowerCase();
  const digits = digitsOf(words);
  const isNumber = digits !== "" && /^[+\d\s().-]+$/.test(words);
  return (
    words.split(/\s+/).every((word) => person.name.toLocaleLowerCase().includes(word)) ||
    (isNumber && person.number.includes(digits))
  );
}
