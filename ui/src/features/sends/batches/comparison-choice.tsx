import { Button, Select, Switch } from "@mantine/core";
import { IconScale } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BatchPlan, BatchPlanRequest } from "@/bindings/app";
import sends from "../sends.module.css";
import classes from "./batches.module.css";
import { type BatchDraft, firstFilling, listKey } from "./draft";

/** Percentages that are offered. */
const SHARES = [10, 20, 30, 40, 50, 60, 70, 80, 90];

interface ComparisonChoiceProps {
  draft: BatchDraft;
  template: { reference: string; name: string };
  onChange: (change: Partial<BatchDraft>) => void;
}

/** Whether the list is divided between this template and another one, and in which proportion. */
export function ComparisonChoice({ draft: { comparison }, template, onChange }: ComparisonChoiceProps) {
  const { t, i18n } = useTranslation("batches");
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" });
  const isSecond = comparison !== undefined && comparison.first.reference !== template.reference;
  return (
    <fieldset className={sends.section}>
      <legend>{t("divide.title")}</legend>
      <div className={sends.parts}>
        <Switch
          label={t("divide.switch")}
          description={t("divide.text")}
          checked={comparison !== undefined}
          onChange={(event) =>
            onChange({
              comparison: event.currentTarget.checked
                ? { id: crypto.randomUUID(), share: 50, first: template, checked: undefined }
                : undefined,
            })
          }
        />
        {comparison && isSecond && (
          <p className={classes.text}>
            {t("divide.second", {
              name: comparison.first.name,
              share: percent.format((100 - comparison.share) / 100),
              nest: false,
            })}
          </p>
        )}
        {comparison && !isSecond && (
          <Select
            label={t("divide.share")}
            allowDeselect={false}
            value={String(comparison.share)}
            onChange={(share) => onChange({ comparison: { ...comparison, share: Number(share), checked: undefined } })}
            data={SHARES.map((share) => ({ value: String(share), label: percent.format(share / 100) }))}
          />
        )}
      </div>
    </fieldset>
  );
}

interface ComparisonStepProps {
  draft: BatchDraft;
  reference: string;
  plan: BatchPlan;
  request: BatchPlanRequest;
}

/** After the check of a side: on to the other template, or to the start of both. */
export function ComparisonStep({ draft, reference, plan, request }: ComparisonStepProps) {
  const { t } = useTranslation("batches");
  const { comparison } = draft;
  if (!comparison) return null;
  const { first, checked } = comparison;
  if (first.reference === reference) {
    return (
      <Button
        size="sm"
        leftSection={<IconScale size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/sends/batches/new" {...props} />}
      >
        {t("divide.next")}
      </Button>
    );
  }
  if (checked?.list !== listKey(request) || checked.filling !== firstFilling(draft)) {
    return (
      <>
        <span className={classes.text}>{t("divide.stale", { name: first.name, nest: false })}</span>
        <Button
          size="sm"
          renderRoot={(props) => <Link to="/sends/batches/new" search={{ reference: first.reference }} {...props} />}
        >
          {t("divide.toFirst")}
        </Button>
      </>
    );
  }
  return (
    <Button
      size="sm"
      leftSection={<IconScale size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link to="/sends/batches/compare" search={{ first: checked.plan, second: plan.id }} {...props} />
      )}
    >
      {t("divide.start")}
    </Button>
  );
}
