import { Button, VisuallyHidden } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EventComparison } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useKindText, useSubjectText } from "@/components/event-kinds";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { DetailPanel } from "@/components/panel";
import classes from "./activity.module.css";
import own from "./comparison.module.css";
import { route } from "./filter";
import { activityQueries } from "./queries";

interface ComparisonPanelProps {
  left: string;
  right: string;
  onClose: () => void;
}

/** Two events, line by line. */
export function ComparisonPanel({ left, right, onClose }: ComparisonPanelProps) {
  const { t } = useTranslation("activity");
  const navigate = route.useNavigate();
  const kindText = useKindText();
  const subjectText = useSubjectText();
  const comparison = useQuery(activityQueries.comparison(left, right));
  const sides = useQueries({ queries: [activityQueries.event(left), activityQueries.event(right)] });
  return (
    <DetailPanel
      label={t("compare.label")}
      title={t("compare.label")}
      closeLabel={t("compare.close")}
      wide
      onClose={onClose}
    >
      <div className={own.sides}>
        {sides.map(({ data }, index) => (
          <p key={index} data-side={index === 0 ? "removed" : "added"}>
            <strong>{t(index === 0 ? "compare.left" : "compare.right")}</strong>{" "}
            {data ? (
              <>
                {kindText(data.row.kind)} · {subjectText(data.row)} · <Instant at={data.row.receivedAt} format="full" />
              </>
            ) : (
              "…"
            )}
          </p>
        ))}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowsExchange size={14} aria-hidden />}
          onClick={() =>
            void navigate({ search: (before) => ({ ...before, compare: right, event: left }), replace: true })
          }
        >
          {t("compare.swap")}
        </Button>
      </div>
      {comparison.error && <ErrorNotice error={comparison.error} onRetry={() => void comparison.refetch()} />}
      {comparison.isPending && <Loading rows={5} />}
      {comparison.data && <Lines lines={comparison.data.lines} />}
    </DetailPanel>
  );
}

type Line = EventComparison["lines"][number];

/** Equal lines that are shown around a change. */
const AROUND = 3;

interface Stretch {
  /** Position of the first line. */
  at: number;
  lines: Line[];
  /** Equal lines far from any change, folded until the person expands them. */
  folded: boolean;
}

function Lines({ lines }: { lines: Line[] }) {
  const { t } = useTranslation("activity");
  const [open, setOpen] = useState<readonly number[]>([]);
  const stretches = stretchesOf(lines);
  const count = (change: Line["change"]) => lines.filter((line) => line.change === change).length;
  const [removed, added] = [count("removed"), count("added")];
  return (
    <>
      <p className={classes.text} role="status">
        {removed + added === 0 ? t("compare.equal") : t("compare.counts", { removed, added })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={own.diff} tabIndex={0} aria-label={t("compare.lines")}>
        <div className={own.diffLines}>
          {stretches.map((stretch) =>
            stretch.folded && !open.includes(stretch.at) ? (
              <button
                key={stretch.at}
                type="button"
                className={own.fold}
                onClick={() => setOpen((before) => [...before, stretch.at])}
              >
                {t("compare.fold", { count: stretch.lines.length })}
              </button>
            ) : (
              <Fragment key={stretch.at}>
                {stretch.lines.map((line, index) => (
                  <LineView key={stretch.at + index} line={line} />
                ))}
              </Fragment>
            ),
          )}
        </div>
      </section>
    </>
  );
}

function LineView({ line: { change, text } }: { line: Line }) {
  const { t } = useTranslation("activity");
  return (
    <div className={own.line} data-change={change}>
      <span aria-hidden>{change === "removed" ? "−" : change === "added" ? "+" : " "}</span>
      {change === "removed" ? (
        <del>
          <VisuallyHidden>{t("compare.removed")} </VisuallyHidden>
          {text}
        </del>
      ) : change === "added" ? (
        <ins>
          <VisuallyHidden>{t("compare.added")} </VisuallyHidden>
          {text}
        </ins>
      ) : (
        <span>{text}</span>
      )}
    </div>
  );
}

/** The lines in stretches, of which those far from any change are folded. */
export function stretchesOf(lines: readonly Line[]): Stretch[] {
  const near = lines.map(() => false);
  lines.forEach(({ change }, index) => {
    if (change === "same") return;
    for (let at = Math.max(0, index - AROUND); at <= Math.min(lines.length - 1, index + AROUND); at += 1) {
      near[at] = true;
    }
  });
  const stretches: Stretch[] = [];
  lines.forEach((line, at) => {
    const last = stretches.at(-1);
    const folded = !near[at];
    if (last && last.folded === folded) last.lines.push(line);
    else stretches.push({ at, lines: [line], folded });
  });
  // A fold of one line would be longer than the line.
  return stretches.map((stretch) => ({ ...stretch, folded: stretch.folded && stretch.lines.length > 1 }));
}
