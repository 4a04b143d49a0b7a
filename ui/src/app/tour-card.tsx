import { Button, CloseButton, Group, Progress } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TOUR_STEPS, type TourProgress, useEndTour, useTourProgress } from "@/lib/tour";
import classes from "./tour-card.module.css";

/** Screens that no step is about, where the card would cover what one works on. */
const ELSEWHERE = /^\/(activity|inbox|insights|settings)\b/;

/** What to do next in the tour. It covers no dialog, and nothing waits for it. */
export function TourCard() {
  const { t } = useTranslation("tour");
  const progress = useTourProgress();
  const end = useEndTour();
  const isElsewhere = useLocation({ select: ({ pathname }) => ELSEWHERE.test(pathname) });
  const isAtPhone = useLocation({ select: ({ pathname }) => pathname === "/phone" });
  if (progress === undefined || isElsewhere) return null;
  const { step, isRejected } = progress;
  // At its end, on the phone itself, it would only cover the settings beside.
  if (step === undefined && isAtPhone) return null;
  const done = step === undefined ? TOUR_STEPS.length : TOUR_STEPS.indexOf(step);
  const shown = step === undefined ? "done" : step === "approve" && isRejected ? "rejected" : step;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end();
  };
  return (
    <section className={classes.card} aria-label={t("title")} data-tour onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap" gap="0.5rem">
        <span className={classes.count}>
          {step === undefined ? t("title") : t("step", { step: done + 1, of: TOUR_STEPS.length })}
        </span>
        <CloseButton size="sm" aria-label={t("end")} onClick={end} />
      </Group>
      <Progress size="xs" value={(done / TOUR_STEPS.length) * 100} aria-label={t("progress")} />
      <div aria-live="polite">
        <h2>{t(`${shown}.title`)}</h2>
        <p>{t(`${shown}.text`)}</p>
      </div>
      <Group gap="0.5rem" justify="flex-end">
        {step === undefined && progress.recipient !== undefined && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/phone" search={{ recipient: progress.recipient }} {...props} />}
          >
            {t("read.action")}
          </Button>
        )}
        <Next progress={progress}>{t(`${shown}.action`)}</Next>
      </Group>
    </section>
  );
}

/** Leads to where the step is done; nothing where one is there already. */
function Next({ progress, children }: { progress: TourProgress; children: ReactNode }) {
  const here = useLocation({ select: ({ pathname }) => pathname });
  const target = targetOf(progress);
  if (target.path === here) return null;
  return (
    <Button size="xs" renderRoot={(props) => <Link to={target.path} search={target.search} {...props} />}>
      {children}
    </Button>
  );
}

function targetOf({ step, draft, reference, recipient, isRejected }: TourProgress) {
  const at = (path: string, search: Record<string, string> = {}) => ({ path, search });
  if (step === undefined) return at("/settings", { section: "workspace", workspace: "new" });
  if (step === "submit" && draft !== undefined) return at(`/drafts/${draft}`);
  if (step === "approve") return at(isRejected && reference !== undefined ? `/templates/${reference}` : "/review");
  if (step === "send" && reference !== undefined) return at("/sends/new", { reference });
  if (step === "read") return at("/phone", recipient === undefined ? {} : { recipient });
  return at("/templates/new");
}
