import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArrowRight, IconCircleCheck, IconWand } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { EditContext } from "@/bindings/app";
import type { Finding } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { placeOf, usePlaceText } from "@/components/finding-place";
import { SeverityIcon, useFindingText } from "@/components/findings";
import { isVerdict, withoutExplainedVerdicts } from "@/components/verdicts";
import classes from "./edit.module.css";
import { isAnswered } from "./guidance";
import { type ComposerState, templateOf, useComposer, useComposerStore } from "./store";
import { fixAll } from "./use-fix";

/** Whether `finding` is unresolved. */
function isOpen(finding: Finding, { draft, context, inspection }: ComposerState): boolean {
  if (isVerdict(finding)) return context === undefined || !isAnswered(draft, context);
  if (!inspection) return true;
  return inspection.findings.some(({ code, path }) => code === finding.code && path === finding.path);
}

/** What the rejection is about, one after the other: where it is, and what the rules can put right by themselves. */
export function WhatToFix({ context, onJump }: { context: EditContext; onJump: (path: string) => void }) {
  const { t } = useTranslation("composer");
  const store = useComposerStore();
  const text = useFindingText();
  const template = useComposer(templateOf);
  const placeText = usePlaceText();
  const guidance = withoutExplainedVerdicts(context.guidance);
  const open = useComposer(useShallow((state) => guidance.map((finding) => isOpen(finding, state))));
  const fixable = guidance.filter((finding, index) => finding.fixable && open[index]);
  const fix = useMutation({
    mutationFn: (findings: Finding[]) => fixAll(store, findings),
    onSuccess: (fixed) => {
      if (fixed === 0) notifications.show({ color: "yellow", message: t("edit.whatToFix.notFixed") });
    },
  });
  if (guidance.length === 0) return null;
  return (
    <section aria-label={t("edit.whatToFix.title")} className={classes.whatToFix}>
      <header>
        <h2>{t("edit.whatToFix.title")}</h2>
        {fixable.length > 1 && (
          <Button
            size="compact-xs"
            leftSection={<IconWand size={14} aria-hidden />}
            loading={fix.isPending}
            onClick={() => fix.mutate(fixable)}
          >
            {t("edit.whatToFix.fixAll", { count: fixable.length })}
          </Button>
        )}
      </header>
      <ol>
        {guidance.map((finding, index) => (
          <li key={index} data-done={!open[index] || undefined}>
            <div className={classes.step}>
              {open[index] ? (
                <SeverityIcon severity={finding.severity} />
              ) : (
                <IconCircleCheck size={16} stroke={1.8} role="img" aria-label={t("edit.whatToFix.done")} />
              )}
              <span>
                {finding.path !== "" && <strong>{placeText(placeOf(finding), template)}: </strong>}
                {text(finding)}
              </span>
              {finding.path !== "" && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  rightSection={<IconArrowRight size={13} aria-hidden />}
                  aria-label={t("edit.whatToFix.goTo", { number: index + 1 })}
                  onClick={() => onJump(finding.path)}
                >
                  {t("edit.whatToFix.go")}
                </Button>
              )}
              {finding.fixable && open[index] && (
                <Button
                  size="compact-xs"
                  variant="light"
                  leftSection={<IconWand size={13} aria-hidden />}
                  aria-label={t("edit.whatToFix.fixNumber", { number: index + 1 })}
                  disabled={fix.isPending}
                  onClick={() => fix.mutate([finding])}
                >
                  {t("edit.whatToFix.fix")}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {fix.isError && <ErrorNotice error={fix.error} />}
    </section>
  );
}
