import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BatchPlan, RepeatedSend } from "@/bindings/app";
import { dateFormat } from "@/lib/formats";
import classes from "./batches.module.css";
import { useSourceText } from "./source-text";

/** The warning of a row whose person was sent the template a short time ago. */
export const REPEATED = "to.repeated";

interface RepeatedPeopleProps {
  plan: BatchPlan;
  accepted: boolean;
  onAccept: (accepted: boolean) => void;
}

/** Who got the template a short time ago, and the choice to send it to them again. */
export function RepeatedPeople({ plan: { repeated = [] }, accepted, onAccept }: RepeatedPeopleProps) {
  const { t } = useTranslation("batches");
  const text = useRepeatedText();
  if (repeated.length === 0) return null;
  const count = repeated.reduce((sum, { people }) => sum + people, 0);
  return (
    <div className={classes.warning}>
      {repeated.map((of) => (
        <p key={of.batch ?? ""}>
          {text(of)}{" "}
          {of.batch != null && (
            <Link to="/sends/batches/$batch" params={{ batch: of.batch }}>
              {t("plan.openBatch")}
            </Link>
          )}
        </p>
      ))}
      <Checkbox
        size="sm"
        label={t("plan.repeatedAccept", { count })}
        description={t("plan.repeatedOut")}
        checked={accepted}
        onChange={(event) => onAccept(event.currentTarget.checked)}
      />
    </div>
  );
}

/** How many people got the template when, and with what. */
export function useRepeatedText(): (of: RepeatedSend) => string {
  const { t, i18n } = useTranslation("batches");
  const sourceText = useSourceText();
  return ({ batch, source, at, people }) => {
    const date = dateFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
    const origin =
      batch == null
        ? t("plan.repeatedSingle")
        : t("plan.repeatedBatch", { source: sourceText({ source: source ?? "" }), nest: false });
    return t("plan.repeated", { count: people, date, source: origin, nest: false });
  };
}
