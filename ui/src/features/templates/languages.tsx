import { IconLanguage } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import classes from "./template-screen.module.css";

/** The languages of one name beside each other. */
export function Languages({ detail: { row, languages } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  if (languages.length === 0) {
    return (
      <Empty
        Icon={IconLanguage}
        title={t("languages.none")}
        text={t("languages.noneText", { language: row.language })}
      />
    );
  }
  const all = [row, ...languages].sort((a, b) => a.language.localeCompare(b.language));
  return (
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
            <span className={classes.mono}>{entry.language}</span>
            <span>{entry.excerpt}</span>
            <StatusBadge status={entry.archived ? "ARCHIVED" : entry.status} />
            <span className={classes.quiet}>
              <Instant at={entry.updatedAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
