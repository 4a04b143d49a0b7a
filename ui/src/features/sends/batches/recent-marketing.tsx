import { Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RowProblem } from "@/bindings/app";
import classes from "./batches.module.css";
import { Problems } from "./problems";

/** The warning of a row whose person got a marketing template in the last 24 hours. */
export const RECENT_MARKETING = "to.recentMarketing";

interface Props {
  problems: RowProblem[];
  rows: number;
  people: number;
  labelOf: (field: string) => string;
  leftOut: boolean;
  onChange: (leftOut: boolean) => void;
}

/** Whether people who got a marketing message lately are left out. */
export function RecentMarketing({ problems, rows, people, labelOf, leftOut, onChange }: Props) {
  const { t } = useTranslation("batches");
  const label = t("plan.leaveOutRecent", { count: people });
  return (
    <div className={classes.warning}>
      <Switch
        size="sm"
        label={label}
        description={t("plan.leaveOutRecentHint")}
        checked={leftOut}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <details>
        <summary>{t("plan.whichRows")}</summary>
        <Problems label={label} problems={problems} total={rows} labelOf={labelOf} />
      </details>
    </div>
  );
}
