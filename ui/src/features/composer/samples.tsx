import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./composer.module.css";
import { useField } from "./field";
import { sampleOf, samplePath, setSample, variablesOf } from "./parts";
import { usePartList, useParts } from "./parts-context";

/** A sample for each variable of a text. */
export function Samples({ kind, text }: { kind: "HEADER" | "BODY"; text: string }) {
  const { t } = useTranslation("composer");
  const names = variablesOf(text);
  if (names.length === 0) return null;
  return (
    <fieldset className={classes.samples}>
      <legend>{t("samples")}</legend>
      {names.map((name, order) => (
        <Sample key={name} kind={kind} name={name} order={order} />
      ))}
    </fieldset>
  );
}

function Sample({ kind, name, order }: { kind: "HEADER" | "BODY"; name: string; order: number }) {
  const { t } = useTranslation("composer");
  const { base, change } = useParts();
  const parts = usePartList();
  const value = sampleOf(parts, kind, name);
  const path = samplePath(parts, base, kind, name, order);
  const field = useField(path, { empty: value === "", also: [`${path}/`] });
  const label = `{{${name}}}`;
  return (
    <div className={classes.sample}>
      <code aria-hidden>{label}</code>
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
