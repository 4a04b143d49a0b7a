import { Button } from "@mantine/core";
import { IconLanguage, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useLanguageName } from "@/lib/language-name";
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
  const all = [row, ...languages].sort((a, b) => a.language.localeCompare(b.language));
  return (
    <>
      <ul className={classes.languages} aria-label={t("languages.label")}>
        {all.map((entry) => (
          <li key={entry.reference}>
            <Link
              to="/templates/$reference"
              params={{ reference: entry.reference }}
              search={{ tab: "languages" }}
              replace
              aria-current={entry.reference === row.reference ? "page" : undefined}
            >
              <span className={styles.truncate} title={entry.language}>
                {languageName(entry.language)}
              </span>
              <span className={classes.excerpt}>{entry.excerpt}</span>
              <StatusBadge status={entry.archived ? "ARCHIVED" : entry.status} />
              <span className={styles.small}>
                <Instant at={entry.updatedAt} />
              </span>
            </Link>
          </li>
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
