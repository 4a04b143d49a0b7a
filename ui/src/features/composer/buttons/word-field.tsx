import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { useButtonEdits } from "../carousel/in-step";
import { useField } from "../field";
import type { Json } from "../parts";
import { changeButton, FIXED_LABELS } from "./buttons";

export interface ButtonFieldsProps<B extends Button = Button> {
  button: B;
  index: number;
  /** JSON pointer to the button. */
  path: string;
}

/** The text that a button shows. */
export function LabelField({ button, index, path }: ButtonFieldsProps<Extract<Button, { text?: string }>>) {
  const { t } = useTranslation("composer");
  const fixed = FIXED_LABELS[button.type];
  return (
    <WordField
      at="text"
      value={button.text ?? ""}
      label={t("buttonLabel")}
      hint={fixed === undefined ? undefined : t("buttonFields.fixedLabel", { label: fixed })}
      index={index}
      path={path}
    />
  );
}

interface WordFieldProps {
  /** Key of the button's JSON. */
  at: string;
  value: string;
  label: string;
  placeholder?: string;
  hint?: string | undefined;
  index: number;
  path: string;
  /** Takes the value; a plain change of the key unless said otherwise. */
  onChange?: (value: string) => void;
}

/** A word of the button. */
export function WordField({ at, value, label, placeholder, hint, index, path, onChange }: WordFieldProps) {
  const { fill } = useButtonEdits();
  const here = `${path}/${at}`;
  const field = useField(here, { empty: value === "", also: [`${here}/`], hint });
  const set = (typed: string) => {
    const change: Json = { [at]: typed };
    fill((it) => changeButton(it, index, change), here);
  };
  return (
    <TextInput
      {...field}
      size="xs"
      label={label}
      value={value}
      placeholder={placeholder}
      onChange={({ currentTarget }) => (onChange ?? set)(currentTarget.value)}
    />
  );
}
