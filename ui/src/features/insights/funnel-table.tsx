import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { FunnelQuery, FunnelRow } from "@/bindings/app";
import { useCategoryText } from "@/components/status-badge";
import { useLanguageName } from "@/lib/language-name";
import classes from "./insights.module.css";
import { useNumber, useShare } from "./parts";
import { type Period, periodText } from "./periods";
import { useChange } from "./range";

type Group = FunnelQuery["by"];

/** The funnel of each group. A name leads to its own figures alone. */
export function FunnelTable({ rows, by }: { rows: FunnelRow[]; by: Group }) {
  const { t } = useTranslation("insights");
  const number = useNumber();
  const share = useShare();
  const name = useKeyText();
  const change = useChange();
  const most = Math.max(1, ...rows.map(({ sent }) => sent));
  const width = (count: number) => ({ width: `${(100 * Math.min(count, most)) / most}%` });
  const narrows = by === "template" || by === "language" || by === "category";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so by keyboard
    <section className={classes.wide} aria-label={t("table", { title: t("messages.grouped") })} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t(`by.${by}`)}</th>
            <th scope="col">{t("step.sent")}</th>
            <th scope="col">{t("step.delivered")}</th>
            <th scope="col">{t("step.read")}</th>
            <th scope="col">{t("step.replied")}</th>
            <th scope="col" title={t("clicksHint")}>
              {t("step.clicked")}
            </th>
            <th scope="col">{t("step.failed")}</th>
            <th scope="col">{t("waiting")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" className={classes.name}>
                {narrows && row.key !== "" ? (
                  <UnstyledButton
                    className={classes.narrow}
                    aria-label={t("messages.only", { name: name(row.key, by) })}
                    onClick={() => change({ [by]: row.key })}
                  >
                    {name(row.key, by)}
                  </UnstyledButton>
                ) : (
                  name(row.key, by)
                )}
                <span className={classes.layers} aria-hidden>
                  <span data-step="sent" style={width(row.sent)} />
                  <span data-step="delivered" style={width(row.delivered)} />
                  <span data-step="read" style={width(row.read)} />
                </span>
              </th>
              <td>{number(row.sent)}</td>
              <Part count={row.delivered} share={share(row.delivered, row.sent)} />
              <Part count={row.read} share={share(row.read, row.delivered)} />
              <Part count={row.replied} share={share(row.replied, row.delivered)} />
              {knowsClicks(row) ? (
                <Part count={row.clicked} share={share(row.clicked, row.tappable)} />
              ) : (
                <td title={t("clicksHint")}>{t("clicksUnknown")}</td>
              )}
              <Part count={row.failed} share={share(row.failed, row.sent)} />
              <td>{number(row.waiting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Part({ count, share }: { count: number; share: string }) {
  const number = useNumber();
  return (
    <td>
      {number(count)}
      <span className={`${classes.share} ${classes.below}`}>{share}</span>
    </td>
  );
}

/** Whether anything can be known of the clicks: of links nothing is reported. */
export function knowsClicks({ clicked, tappable }: FunnelRow): boolean {
  return clicked > 0 || tappable > 0;
}

/** The name of a group in words. */
export function useKeyText(): (key: string, by: Group) => string {
  const { t, i18n } = useTranslation("insights");
  const category = useCategoryText();
  const language = useLanguageName();
  return (key, by) => {
    if (key === "") return t("messages.unsaid");
    if (by === "category") return category(key);
    if (by === "language") return language(key);
    return by === "template" ? key : periodText(key, by as Period, i18n.language);
  };
}
