import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SampleSet } from "@/bindings/model";
import classes from "./composer.module.css";
import { useComposer, useComposerActions } from "./store";

const SETS: SampleSet[] = ["own", "short", "long", "rightToLeft", "emoji"];

/** Which values the phone shows for the variables, to see how the message breaks. */
export function SampleSwitch() {
  const { t } = useTranslation("composer");
  const samples = useComposer((state) => state.samples);
  const { showSamples: show } = useComposerActions();
  const any = useComposer((state) => (state.inspection?.variables.length ?? 0) > 0);
  if (!any) return null;
  return (
    <Select
      size="xs"
      label={t("variables.shown")}
      className={classes.sampleSwitch}
      allowDeselect={false}
      data={SETS.map((value) => ({ value, label: t(`variables.set.${value}`) }))}
      value={samples}
      onChange={(value) => show((value ?? "own") as SampleSet)}
    />
  );
}
