import { NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./support.module.css";

/** Sequence numbers of deliveries, both included; an absent one means the first or the last. */
export interface Range {
  from: number | undefined;
  to: number | undefined;
}

/** Whether the range is empty because it ends before it begins. */
export function isReversed({ from, to }: Range): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** The first and last sequence number of a range. */
export function ScopeFields({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const { t } = useTranslation("support");
  const read = (value: string | number) => (typeof value === "number" ? value : undefined);
  return (
    <div className={classes.times}>
      <NumberInput
        size="sm"
        label={t("scope.from")}
        placeholder={t("scope.first")}
        min={1}
        allowDecimal={false}
        hideControls
        value={range.from ?? ""}
        onChange={(value) => onChange({ ...range, from: read(value) })}
      />
      <NumberInput
        size="sm"
        label={t("scope.to")}
        placeholder={t("scope.last")}
        min={1}
        allowDecimal={false}
        hideControls
        value={range.to ?? ""}
        onChange={(value) => onChange({ ...range, to: read(value) })}
        error={isReversed(range) ? t("scope.reversed") : undefined}
      />
    </div>
  );
}
