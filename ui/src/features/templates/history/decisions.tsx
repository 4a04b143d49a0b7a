import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Decision } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { Instant } from "@/components/instant";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useWabaName } from "@/lib/waba-names";
import classes from "./history.module.css";

/** Attempts shown before "Show all". */
const FIRST = 3;

/** How long the review took for each attempt, newest first. Accounts count their own attempts. */
export function Decisions({ decisions }: { decisions: Decision[] }) {
  const { t } = useTranslation("history");
  const [isWhole, setWhole] = useState(false);
  const wabaName = useWabaName(useWorkspace().id);
  if (decisions.length === 0) return null;
  const newestFirst = [...decisions].sort((a, b) => b.submittedAt - a.submittedAt);
  const attempt = (index: number) =>
    newestFirst.slice(index).filter((decision) => decision.waba === newestFirst[index]?.waba).length;
  const shown = isWhole ? newestFirst : newestFirst.slice(0, FIRST);
  return (
    <section className={classes.decisions} aria-label={t("decisions.title")}>
      <h2>{t("decisions.title")}</h2>
      <ol>
        {shown.map((decision, index) => (
          <li
            key={`${decision.submittedAt} ${decision.version ?? ""} ${decision.waba ?? ""}`}
            className={`${styles.row} ${styles.wrap}`}
          >
            <span className={styles.small}>{t("decisions.attempt", { number: attempt(index) })}</span>
            {decision.waba != null && <span className={styles.small}>{wabaName(decision.waba)}</span>}
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
