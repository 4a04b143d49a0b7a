import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type NumberRules, numberText, readNumber } from "./number-text";
import styles from "./styles.module.css";
import { useDecimalSeparator } from "./use-decimal-separator";

interface CommonProps
  extends Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max" | "rightSection">,
    NumberRules {
  /** Shown after the number. */
  unit?: string;
}

interface RequiredProps extends CommonProps {
  optional?: false;
  value: number;
  onChange: (value: number) => void;
}

interface OptionalProps extends CommonProps {
  /** An empty field is `undefined`. */
  optional: true;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

/**
 * A field for a number. It keeps what is typed, never corrects it, and shows an error for what is no number within its
 * limits. The value is then `NaN`: see `hasInvalidNumber`.
 */
export function NumberField(props: RequiredProps | OptionalProps) {
  const { value, onChange, optional = false, min, max, decimals = 0, unit, error, ...rest } = props;
  const { t, i18n } = useTranslation("common");
  const separator = useDecimalSeparator();
  const rules = { min, max, decimals };
  const read = (text: string) => readNumber(text, rules, separator) ?? (optional ? undefined : Number.NaN);
  const [typed, setTyped] = useState("");
  // A value that was set elsewhere replaces what was typed.
  const text = Object.is(read(typed), value) ? typed : numberText(value, separator);
  const format = (limit: number) => new Intl.NumberFormat(i18n.language).format(limit);
  const limits = { min: format(min), max: format(max), decimals };
  const invalid = Number.isNaN(value) ? t(decimals > 0 ? "number.decimal" : "number.whole", limits) : undefined;
  return (
    <TextInput
      {...rest}
      inputMode={decimals > 0 ? "decimal" : "numeric"}
      autoComplete="off"
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        const found = read(next);
        if (props.optional) props.onChange(found);
        else props.onChange(found ?? Number.NaN);
      }}
      error={invalid ?? error}
      rightSection={unit === undefined ? undefined : <span className={styles.muted}>{unit}</span>}
      rightSectionWidth={unit === undefined ? undefined : `${unit.length + 2}ch`}
      rightSectionPointerEvents="none"
    />
  );
}
