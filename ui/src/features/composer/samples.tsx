import { TextInput, Tooltip, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./composer.module.css";
import { useField } from "./field";
import { sampleOf, samplePath, setSample, variablesOf } from "./parts";
import { usePartList, useParts } from "./parts-context";

interface SamplesProps {
  kind: "HEADER" | "BODY";
  text: string;
  /** Writes a variable at the caret of the text. */
  onInsert: (variable: string) => void;
}

/** The variables of a text, to be written again at the caret, and a sample for each. */
export function Samples({ kind, text, onInsert }: SamplesProps) {
  const { t } = useTranslation("composer");
  const names = variablesOf(text);
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

interface SampleProps extends Omit<SamplesProps, "text"> {
  name: string;
  order: number;
}

function Sample({ kind, name, order, onInsert }: SampleProps) {
  const { t } = useTranslation("composer");
  const { base, change } = useParts();
  const parts = usePartList();
  const value = sampleOf(parts, kind, name);
  const path = samplePath(parts, base, kind, name, order);
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
        dir="auto"
        onChange={(event) => {
          const { value: typed } = event.currentTarget;
          change((before) => setSample(before, kind, name, typed), path);
        }}
      />
    </div>
  );
}
