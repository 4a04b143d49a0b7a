import { Select, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { filterLanguages, useLanguageOptions, useUsedLanguagesFirst } from "@/lib/language-options";
import { chooseCategory } from "./authentication";
import classes from "./composer.module.css";
import { useField } from "./field";
import { LockIcon, useLock } from "./lock";
import { isBlank } from "./new-draft";
import { Section } from "./section";
import { useComposer, useComposerActions, useComposerStore } from "./store";
import { fixAll } from "./use-fix";

/** Name, language and category. */
export function BasicsSection() {
  const { t } = useTranslation("composer");
  return (
    <Section title={t("basics")}>
      <NameField />
      <div className={classes.pair}>
        <LanguageField />
        <CategoryField />
      </div>
    </Section>
  );
}

function NameField() {
  const { t } = useTranslation("composer");
  const name = useComposer((state) => state.draft.template.name);
  const { change } = useComposerActions();
  const lock = useLock("name");
  const field = useField("/name", { empty: name === "", hint: lock ?? t("nameHint") });
  const store = useComposerStore();
  const input = useRef<HTMLInputElement>(null);
  const isPasted = useRef(false);
  // A new template begins with its name.
  useEffect(() => {
    if (isBlank(store.getState().draft)) input.current?.focus({ preventScroll: true });
  }, [store]);
  // "Spring Sale!" becomes a name as the rules write it.
  const spell = () => void fixAll(store, [{ code: "name.characters", path: "/name" }]).catch(() => undefined);
  return (
    <TextInput
      {...field}
      ref={input}
      onBlur={() => {
        field.onBlur();
        if (lock === undefined && name !== "") spell();
      }}
      onPaste={() => {
        isPasted.current = true;
      }}
      label={t("name")}
      value={name}
      onChange={({ currentTarget: { value } }) => {
        change((before) => ({ ...before, name: value }), "name");
        if (isPasted.current) spell();
        isPasted.current = false;
      }}
      readOnly={lock !== undefined}
      rightSection={lock !== undefined && <LockIcon />}
      required
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.mono }}
    />
  );
}

function LanguageField() {
  const { t } = useTranslation("composer");
  const language = useComposer((state) => state.draft.template.language);
  const { change } = useComposerActions();
  const lock = useLock("language");
  const workspace = useComposer((state) => state.draft.workspace);
  const { options } = useLanguageOptions();
  const usedFirst = useUsedLanguagesFirst(workspace);
  const field = useField("/language", { empty: language === "", hint: lock });
  return (
    <Select
      {...field}
      label={t("language")}
      placeholder={t("choose")}
      searchable
      required
      readOnly={lock !== undefined}
      {...(lock !== undefined && { rightSection: <LockIcon /> })}
      nothingFoundMessage={t("noLanguage")}
      filter={filterLanguages}
      data={usedFirst(withCurrent(options, language))}
      value={language === "" ? null : language}
      onChange={(value) => change((before) => ({ ...before, language: value ?? "" }))}
    />
  );
}

const CATEGORIES = ["marketing", "utility", "authentication"];

function CategoryField() {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const category = useComposer((state) => state.draft.template.category) ?? "";
  const isUsuallyFixed = useComposer(({ context }) => context?.categoryUsuallyFixed === true);
  const field = useField("/category", {
    empty: category === "",
    hint: isUsuallyFixed ? t("edit.categoryHint") : undefined,
  });
  const current = CATEGORIES.find((word) => word === category.toLowerCase()) ?? category;
  return (
    <Select
      {...field}
      label={t("category")}
      placeholder={t("choose")}
      required
      allowDeselect={false}
      data={withCurrent(
        CATEGORIES.map((value) => ({
          value,
          label: t(`category.${value.toUpperCase() as "MARKETING"}`, { ns: "common" }),
        })),
        current,
      )}
      value={current === "" ? null : current}
      onChange={(value) => chooseCategory(store, value ?? "")}
    />
  );
}

export interface Option {
  value: string;
  label: string;
}

/** A word that is not among the offered ones was chosen elsewhere; it stays choosable. */
export function withCurrent(options: Option[], current: string): Option[] {
  if (current === "" || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: current }];
}
