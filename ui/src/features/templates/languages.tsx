import { Button } from "@mantine/core";
import { IconLanguage, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateDetail, TemplateRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { useWabaName } from "@/lib/waba-names";
import { useAddLanguage } from "./template-actions";
import classes from "./template-screen.module.css";

/** The languages of one name beside each other. */
export function Languages({ detail }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const add = useAddLanguage(detail);
  const languageName = useLanguageName();
  const { row, languages } = detail;
  if (languages.length === 0) {
    return (
      <Empty
        Icon={IconLanguage}
        title={t("languages.none")}
        text={t("languages.noneText", { language: languageName(row.language) })}
      >
        <Button onClick={add}>{t("addLanguage.action")}</Button>
      </Empty>
    );
  }
  const all = [...languagesOf(detail)].sort(([one], [other]) => one.localeCompare(other));
  return (
    <>
      <ul className={classes.languages} aria-label={t("languages.label")}>
        {all.map(([language, templates]) => (
          <LanguageRow key={language} language={language} templates={templates} shown={row.reference} />
        ))}
      </ul>
      <p className={classes.below}>
        <Button variant="default" leftSection={<IconPlus size={15} />} onClick={add}>
          {t("addLanguage.action")}
        </Button>
      </p>
    </>
  );
}

/** The templates of a name by language: accounts may have one language separately. */
export function languagesOf({ row, languages }: TemplateDetail): Map<string, TemplateRow[]> {
  const found = new Map<string, TemplateRow[]>();
  for (const one of [row, ...languages]) found.set(one.language, [...(found.get(one.language) ?? []), one]);
  return found;
}

interface LanguageRowProps {
  language: string;
  /** More than one if accounts have the language separately. */
  templates: TemplateRow[];
  /** The template of the page. */
  shown: string;
}

/** One language: a line for each of its templates, with their accounts if there are several. */
function LanguageRow({ language, templates, shown }: LanguageRowProps) {
  const languageName = useLanguageName();
  const wabaName = useWabaName(useWorkspace().id);
  return (
    <li>
      {templates.map((entry, index) => (
        <Link
          key={entry.reference}
          to="/templates/$reference"
          params={{ reference: entry.reference }}
          search={{ tab: "languages" }}
          replace
          aria-current={entry.reference === shown ? "page" : undefined}
        >
          <span className={styles.truncate} title={language}>
            {index === 0 && languageName(language)}
          </span>
          <span className={classes.excerpt}>
            {templates.length > 1 && entry.wabas.length > 0 ? entry.wabas.map(wabaName).join(", ") : entry.excerpt}
          </span>
          <StatusBadge status={entry.archived ? "ARCHIVED" : entry.status} />
          <span className={styles.small}>{entry.updatedAt != null && <Instant at={entry.updatedAt} />}</span>
        </Link>
      ))}
    </li>
  );
}
