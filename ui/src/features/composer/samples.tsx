import { TextInput, Tooltip, UnstyledButton } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import classes from "./composer.module.css";
import { useField } from "./field";
import { sampleOf, samplePath, setSample, textOf, variablesOf } from "./parts";
import { partsOf, useCard, useParts } from "./parts-context";
import { useComposer, useDerived } from "./store";

interface SamplesProps {
  kind: "HEADER" | "BODY";
  /** Writes a variable at the caret of the text. */
  onInsert: (variable: string) => void;
}

/** The variables of a text, to be written again at the caret, and a sample for each. */
export function Samples({ kind, onInsert }: SamplesProps) {
  const { t } = useTranslation("composer");
  const card = useCard();
  const names = useDerived((state) => textOf(partsOf(state, card), kind), variablesOf);
  if (names.length === 0) return null;
  return (
    <fieldset className={classes.samples}>
      <legend>{t("samples")}</legend>
      {names.map((name, order) => (
        <Sample key={name} kind={kind} name={name} order={order} onInsert={onInsert} />
      ))}
    </fieldset>
  );
}

interface SampleProps extends SamplesProps {
  name: string;
  order: number;
}

/** It takes its own sample alone: a key in the text does not draw it again. */
const Sample = memo(function Sample({ kind, name, order, onInsert }: SampleProps) {
  const { t } = useTranslation("composer");
  const { base, card, change } = useParts();
  const value = useComposer((state) => sampleOf(partsOf(state, card), kind, name));
  const path = useComposer((state) => samplePath(partsOf(state, card), base, kind, name, order));
  const field = useField(path, { empty: value === "", also: [`${path}/`] });
  const label = `{{${name}}}`;
  return (
    <div className={classes.sample}>
      <Tooltip label={t("variables.insertHint")}>
        <UnstyledButton
          className={classes.chip}
          aria-label={t("variables.insert", { name: label })}
          // A press leaves the caret in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(label)}
        >
          {label}
        </UnstyledButton>
      </Tooltip>
      <TextInput
        {...field}
        size="xs"
        aria-label={t("sampleOf", { name: label })}
        placeholder={t("samplePlaceholder")}
        value={value}
        onChange={(event) => {
          const { value: typed } = event.currentTarget;
          change((before) => setSample(before, kind, name, typed), path);
        }}
      />
    </div>
  );
});
