import { useTranslation } from "react-i18next";
import { NumberField } from "@/components/number-field";
import { hasInvalidNumber } from "@/components/number-text";
import classes from "./support.module.css";

/** Sequence numbers of deliveries, both included; an absent one means the first or the last. */
export interface Range {
  from: number | undefined;
  to: number | undefined;
}

/** Whether an entry is no delivery number, or the range ends before it begins. */
export function isInvalid(range: Range): boolean {
  return hasInvalidNumber(range) || isReversed(range);
}

function isReversed({ from, to }: Range): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** The first and last sequence number of a range. */
export function ScopeFields({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const { t } = useTranslation("support");
  return (
    <div className={classes.times}>
      <NumberField
        size="sm"
        label={t("scope.from")}
        placeholder={t("scope.first")}
        optional
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        value={range.from}
        onChange={(from) => onChange({ ...range, from })}
      />
      <NumberField
        size="sm"
        label={t("scope.to")}
        placeholder={t("scope.last")}
        optional
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        value={range.to}
        onChange={(to) => onChange({ ...range, to })}
        error={isReversed(range) ? t("scope.reversed") : undefined}
      />
    </div>
  );
}
