import { SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./insights.module.css";
import { daysOf, isDay, isReversed, PRESETS, presetOf, route, useChange } from "./range";

/** The days that are counted: those before today in one click, or any two. */
export function RangeFields() {
  const { t } = useTranslation("insights");
  const search = route.useSearch();
  const change = useChange();
  const preset = presetOf(search);
  const reversed = isReversed(daysOf(search));
  return (
    <>
      <SegmentedControl
        aria-label={t("range.label")}
        value={preset}
        // A custom range starts from the days shown before.
        onChange={(range) => {
          const days = daysOf(search);
          change({ range, from: days.from ?? undefined, to: days.to ?? undefined });
        }}
        data={PRESETS.map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {preset === "dates" && (
        <>
          <DayField label={t("range.from")} value={search.from ?? ""} onChange={(from) => change({ from })} />
          <DayField
            label={t("range.to")}
            value={search.to ?? ""}
            onChange={(to) => change({ to })}
            error={reversed ? t("range.reversed") : undefined}
          />
        </>
      )}
    </>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  onChange: (day: string | undefined) => void;
  error?: string | undefined;
}

/** A day that counts as soon as it is one; what is typed until then stays. */
function DayField({ label, value, onChange, error }: DayFieldProps) {
  const { t } = useTranslation("insights");
  const [typed, setTyped] = useState(value);
  const [left, setLeft] = useState(false);
  const [synced, setSynced] = useState(value);
  if (value !== synced) {
    setSynced(value);
    if (value !== "") setTyped(value);
  }
  const wrong = left && typed !== "" && !isDay(typed);
  return (
    <TextInput
      className={classes.day}
      type="date"
      aria-label={label}
      title={label}
      placeholder="2026-11-20"
      value={typed}
      onChange={(event) => {
        const day = event.currentTarget.value.trim();
        setTyped(day);
        setLeft(false);
        if (isDay(day) || day === "") onChange(day || undefined);
      }}
      onBlur={() => setLeft(true)}
      error={wrong ? t("range.wrong") : error}
    />
  );
}
