import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queries } from "@/lib/ipc/queries";
import { chooseCategory } from "./authentication";
import classes from "./composer.module.css";
import { useField } from "./field";
import { LockIcon, useLock } from "./lock";
import { Section } from "./section";
import { useComposer, useComposerStore, useEdits } from "./store";

/** Name, language, category and type. */
export function BasicsSection() {
  const { t } = useTranslation("composer");
  return (
    <Section title={t("basics")}>
      <NameField />
      <div className={classes.pair}>
        <LanguageField />
        <CategoryField />
      </div>
      <TypeField />
    </Section>
  );
}

function NameField() {
  const { t } = useTranslation("composer");
  const name = useComposer((state) => state.draft.template.name);
  const change = useComposer((state) => state.change);
  const lock = useLock("name");
  const field = useField("/name", { empty: name === "", hint: lock ?? t("nameHint") });
  return (
    <TextInput
      {...field}
      label={t("name")}
      value={name}
      onChange={({ currentTarget: { value } }) => change((before) => ({ ...before, name: value }), "name")}
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
  const change = useComposer((state) => state.change);
  const lock = useLock("language");
  const languages = useQuery(queries.languages());
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
      data={withCurrent(
        (languages.data ?? []).map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
        language,
      )}
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

function TypeField() {
  const { t } = useTranslation("composer");
  const type = useComposer((state) => state.draft.template.type);
  const change = useComposer((state) => state.change);
  const edits = useEdits();
  const field = useField("/type", { empty: !type, hint: edits ? t("fixed") : t("typeHint") });
  return (
    <Select
      {...field}
      label={t("type")}
      placeholder={t("typeDefault")}
      clearable
      readOnly={edits}
      clearButtonProps={{ "aria-label": t("typeClear") }}
      data={withCurrent(
        ["cloud_api", "marketing_lite"].map((value) => ({ value, label: value })),
        type ?? "",
      )}
      value={type ?? null}
      onChange={(value) => change(({ type: _, ...rest }) => (value === null ? rest : { ...rest, type: value }))}
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
