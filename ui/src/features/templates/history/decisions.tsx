import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Decision } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import classes from "./history.module.css";

/** Attempts shown before "Show all". */
const FIRST = 3;

/** How long the review took for each attempt, newest first. */
export function Decisions({ decisions }: { decisions: Decision[] }) {
  const { t } = useTranslation("history");
  const [isWhole, setWhole] = useState(false);
  if (decisions.length === 0) return null;
  const newestFirst = [...decisions].sort((a, b) => b.submittedAt - a.submittedAt);
  const shown = isWhole ? newestFirst : newestFirst.slice(0, FIRST);
  return (
    <section className={classes.decisions} aria-label={t("decisions.title")}>
      <h2>{t("decisions.title")}</h2>
      <ol>
        {shown.map((decision, index) => (
          <li key={`${decision.submittedAt} ${decision.version ?? ""}`} className={`${styles.row} ${styles.wrap}`}>
            <span className={styles.small}>{t("decisions.attempt", { number: decisions.length - index })}</span>
            <StatusBadge status={decision.outcome ?? "PENDING"} />
            <span>
              <Took decision={decision} />
            </span>
            <span className={styles.small}>
              {t("decisions.submitted")} <Instant at={decision.submittedAt} format="moment" />
            </span>
          </li>
        ))}
      </ol>
      {!isWhole && decisions.length > FIRST && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          {t("decisions.all", { count: decisions.length })}
        </Button>
      )}
    </section>
  );
}

function Took({ decision: { decidedAt, outcome, tookMs, exact } }: { decision: Decision }) {
  const { t } = useTranslation("history");
  const duration = useDurationText();
  if (tookMs != null) {
    return t(exact ? "decisions.took" : "decisions.tookAtMost", { time: duration(tookMs) });
  }
  // Decided, but nobody knows since when.
  return t(outcome == null && decidedAt == null ? "decisions.waiting" : "decisions.unknown");
}
