import { Button, CloseButton, Group, Progress } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { GUIDE_STEPS, type GuideProgress, useEndGuide, useGuideProgress } from "@/lib/guide";
import classes from "./guide-card.module.css";

/** What to do next in the guide. It covers no dialog, and nothing waits for it. */
export function GuideCard() {
  const { t } = useTranslation("guide");
  const progress = useGuideProgress();
  const end = useEndGuide();
  if (progress === undefined) return null;
  const { step, isRejected } = progress;
  const done = step === undefined ? GUIDE_STEPS.length : GUIDE_STEPS.indexOf(step);
  const shown = step === undefined ? "done" : step === "approve" && isRejected ? "rejected" : step;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end();
  };
  return (
    <section className={classes.card} aria-label={t("title")} data-guide onKeyDown={onKeyDown}>
      <Group justify="space-between" wrap="nowrap" gap="0.5rem">
        <span className={classes.count}>
          {step === undefined ? t("title") : t("step", { step: done + 1, of: GUIDE_STEPS.length })}
        </span>
        <CloseButton size="sm" aria-label={t("end")} onClick={end} />
      </Group>
      <Progress size="xs" value={(done / GUIDE_STEPS.length) * 100} aria-label={t("progress")} />
      <div aria-live="polite">
        <h2>{t(`${shown}.title`)}</h2>
        <p>{t(`${shown}.text`)}</p>
      </div>
      <Group gap="0.5rem" justify="flex-end">
        {step === undefined && (
          <Button size="xs" variant="default" onClick={end}>
            {t("end")}
          </Button>
        )}
        <Next progress={progress}>{t(`${shown}.action`)}</Next>
      </Group>
    </section>
  );
}

/** Leads to where the step is done. */
function Next({ progress, children }: { progress: GuideProgress; children: ReactNode }) {
  const { step, draft, reference, recipient, isRejected } = progress;
  return (
    <Button
      size="xs"
      renderRoot={(props) => {
        if (step === undefined) {
          return <Link to="/settings" search={{ section: "workspace", workspace: "new" }} {...props} />;
        }
        if (step === "submit" && draft !== undefined) return <Link to="/drafts/$draft" params={{ draft }} {...props} />;
        if (step === "approve" && isRejected && reference !== undefined) {
          return <Link to="/templates/$reference" params={{ reference }} search={{}} {...props} />;
        }
        if (step === "approve") return <Link to="/review" search={{}} {...props} />;
        if (step === "send" && reference !== undefined)
          return <Link to="/sends/new" search={{ reference }} {...props} />;
        if (step === "read") return <Link to="/phone" search={recipient ? { recipient } : {}} {...props} />;
        return <Link to="/templates/new" {...props} />;
      }}
    >
      {children}
    </Button>
  );
}
