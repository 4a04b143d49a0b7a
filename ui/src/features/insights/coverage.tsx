import { IconCalendarStats } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Coverage } from "@/bindings/app";
import classes from "./insights.module.css";
import { useNumber } from "./parts";

interface CoverageProps {
  covers: Coverage;
  /** How many of what was counted, such as "1,840 messages". */
  counted: string;
}

/** How many messages the filter leaves out because their number or account is unknown; empty if none. */
export function useUnknownSenderText(): (covers: Coverage) => string {
  const { t } = useTranslation("insights");
  const number = useNumber();
  return ({ unknownSender }) =>
    unknownSender === 0 ? "" : t("covers.unknownSender", { count: unknownSender, number: number(unknownSender) });
}

/** The basis of the figures: time range, count, and what is not included. */
export function CoverageNote({ covers, counted }: CoverageProps) {
  const { t, i18n } = useTranslation("insights");
  const { from, to, notes } = covers;
  const unknownSender = useUnknownSenderText()(covers);
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeZone: "UTC" });
  const range = from == null || to == null ? t("covers.nothing") : day.formatRange(from, to);
  return (
    <div className={classes.covers}>
      <p>
        <IconCalendarStats size={15} stroke={1.7} aria-hidden />
        {t("covers.text", { range, counted })}
      </p>
      {(notes.length > 0 || unknownSender !== "") && (
        <ul aria-label={t("covers.notes")}>
          {unknownSender !== "" && <li>{unknownSender}</li>}
          {notes.map((note) => (
            <li key={note}>{t(`covers.note.${note}`)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
