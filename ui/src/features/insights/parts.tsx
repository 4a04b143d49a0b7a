import card from "@/components/card.module.css";
// What the tabs are made of.

import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Facet } from "@/bindings/app";
import styles from "@/components/styles.module.css";
import { shareOf } from "./figures";
import classes from "./insights.module.css";

interface CardProps {
  title: string;
  text?: ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Card({ title, text, aside, wide = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={`${card.card} ${classes.card}`} data-wide={wide || undefined} aria-labelledby={id}>
      <div className={card.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {text && <p className={styles.small}>{text}</p>}
      {children}
    </section>
  );
}

/** A number as the language writes it. */
export function useNumber(): (value: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (value) => format.format(value);
}

/** A part of a whole in words, such as "93 % of sent"; the counts where there are few; empty where there is nothing. */
export function useShare(): (part: number, whole: number) => string {
  const { t } = useTranslation("insights");
  const number = useNumber();
  return (part, whole) => {
    const share = shareOf(part, whole);
    if (share.kind === "none") return "";
    if (share.kind === "few") return t("share.few", { part: number(part), whole: number(whole) });
    return t("share.percent", { percent: share.text });
  };
}

/** When a day of the figures starts here, as a sentence: days are counted by UTC. Empty where that is midnight. */
export function useDayStart(): string {
  const { t, i18n } = useTranslation("insights");
  const start = new Date();
  start.setUTCHours(0, 0, 0, 0);
  if (start.getHours() === 0 && start.getMinutes() === 0) return "";
  return t("dayStart", { time: new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(start) });
}

interface FacetsProps {
  facets: Facet[];
  word: (value: string) => ReactNode;
  column: string;
  none: string;
}

/** Counts as a table whose rows carry a bar each. */
export function Facets({ facets, word, column, none }: FacetsProps) {
  const { t } = useTranslation("insights");
  const number = useNumber();
  if (facets.length === 0) return <p className={styles.small}>{none}</p>;
  const most = Math.max(1, ...facets.map(({ count }) => count));
  return (
    <table className={classes.table} data-bars>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col">{t("count")}</th>
        </tr>
      </thead>
      <tbody>
        {facets.map(({ value, count }) => (
          <tr key={value}>
            <th scope="row">
              <span>{word(value)}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.fill} style={{ width: `${(100 * count) / most}%` }} />
              </span>
            </th>
            <td>{number(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
