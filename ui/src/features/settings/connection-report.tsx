import { CloseButton } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ConnectionReport, ConnectionStep } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import classes from "./settings.module.css";

const STEPS = ["address", "reach", "credentials", "listing"] as const;

interface ConnectionReportProps {
  report: ConnectionReport;
  onClose: () => void;
  /** Above the actions of a form, or among its fields. */
  place?: "foot" | "page";
}

/** What a test of the connection found, step by step. Steps that were not reached are said to be untested. */
export function ConnectionReportView({ report, onClose, place = "foot" }: ConnectionReportProps) {
  const { t } = useTranslation("settings");
  const good = report.steps.length > 0 && report.steps.every(({ ok }) => ok);
  const reported = report.steps.map(({ name }) => name);
  const untested = good ? [] : STEPS.filter((name) => !reported.includes(name));
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section ref={element} className={classes.report} data-place={place} aria-label={t("test.title")}>
      <div className={classes.reportHead}>
        <h2 role="status">{t(good ? "test.good" : "test.bad")}</h2>
        <CloseButton size="sm" aria-label={t("test.close")} onClick={onClose} />
      </div>
      <ol className={classes.steps}>
        {report.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
        {untested.map((name) => (
          <li key={name} className={classes.step}>
            <div className={classes.stepLine} data-state="untested">
              <IconCircleDashed size={18} aria-hidden />
              {t(`test.step.${name}`)} — {t("test.untested")}
            </div>
          </li>
        ))}
      </ol>
      {report.warnings.map(({ field, code, values }) => (
        <p key={`${field} ${code}`} className={classes.stepLine} data-state="warning">
          <IconAlertTriangle size={18} aria-hidden />
          {t(`problem.${code}`, { ...values, nest: false })}
        </p>
      ))}
    </section>
  );
}

/** What helps here: the settings are in view, and the provider may be on this computer. */
function adviceOf({ error }: ConnectionStep) {
  return error?.code === "offline" ? "offline.todoAddress" : undefined;
}

/** What the form calls the field that a step found invalid. */
function useFieldLabel(): (step: ConnectionStep) => string | undefined {
  const { t, i18n } = useTranslation("settings");
  return ({ error }) => {
    if (error?.code !== "invalidInput") return undefined;
    const keys = [`secret.${error.field}.label`, `field.${error.field}`];
    const key = keys.find((known) => i18n.exists(known, { ns: "settings" }));
    return key && t(key as "field.name");
  };
}

function Step({ step }: { step: ConnectionStep }) {
  const { t } = useTranslation("settings");
  const labelOf = useFieldLabel();
  const name = STEPS.find((known) => known === step.name);
  return (
    <li className={classes.step}>
      <div className={classes.stepLine}>
        {step.ok ? (
          <IconCircleCheck size={18} className={classes.good} aria-label={t("test.passed")} role="img" />
        ) : (
          <IconCircleX size={18} className={classes.bad} aria-label={t("test.failed")} role="img" />
        )}
        {name ? t(`test.${step.ok ? "step" : "failedStep"}.${name}`) : step.name}
        {step.templates != null &&
          ` — ${t(step.more ? "test.firstPage" : "test.templates", { count: step.templates })}`}
      </div>
      {step.error && (
        <ErrorNotice error={step.error} advice={adviceOf(step)} offersSettings={false} fieldLabel={labelOf(step)} />
      )}
    </li>
  );
}
