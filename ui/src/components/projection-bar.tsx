import { Progress } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { isCatchingUp, queries } from "@/lib/ipc/queries";
import classes from "./projection-bar.module.css";

/** How far stored events have been read in, while so many wait that lists and figures are not complete. */
export function ProjectionBar() {
  const { t, i18n } = useTranslation();
  const id = useId();
  const { data: projection } = useQuery(queries.projection());
  if (projection === undefined || !isCatchingUp(projection)) return null;
  const { done, total, rebuilding } = projection;
  const number = new Intl.NumberFormat(i18n.language);
  // Rounded down: it is complete when it is complete.
  const percent = total === 0 ? 0 : Math.floor((Math.min(done, total) / total) * 100);
  return (
    <section className={classes.bar} aria-labelledby={id}>
      <p className={classes.words}>
        <strong id={id}>{t(rebuilding ? "projection.rebuilding" : "projection.reading")}</strong>{" "}
        <span>{t("projection.counts", { done: number.format(done), total: number.format(total) })}</span>
      </p>
      <Progress.Root size={6} transitionDuration={200}>
        <Progress.Section value={percent} aria-labelledby={id} />
      </Progress.Root>
      <p className={classes.note}>{t(rebuilding ? "projection.rebuildingText" : "projection.readingText")}</p>
    </section>
  );
}
