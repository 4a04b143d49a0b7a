import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FormNumber } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { notedInput } from "@/components/problem-notes";
import { useProblemText } from "@/components/send-problem-text";
import classes from "./fields.module.css";

interface NumberSelectProps {
  numbers: readonly Pick<FormNumber, "id" | "label" | "problem">[];
  value: string;
  onChange: (number: string) => void;
  onBlur: () => void;
  problems: readonly SendProblem[];
  error: string | undefined;
  children?: ReactNode;
}

/** The sending number. One that cannot send the template is shown with the reason, and cannot be chosen. */
export function NumberSelect({ numbers, value, onChange, onBlur, problems, error, children }: NumberSelectProps) {
  const { t } = useTranslation("sends");
  const text = useProblemText();
  const problemOf = new Map(numbers.map(({ id, problem }) => [id, problem]));
  return (
    <Select
      label={t("form.number")}
      withAsterisk
      required
      allowDeselect={false}
      data-field="number"
      data={[
        ...numbers.map(({ id, label, problem }) => ({
          value: id,
          label: label === "" ? id : `${label} (${id})`,
          disabled: problem != null,
        })),
        // One that the settings do not list any more is shown by its ID.
        ...(value === "" || problemOf.has(value)
          ? []
          : [{ value, label: numbers.length === 0 ? value : t("form.numberGone", { number: value, nest: false }) }]),
      ]}
      classNames={{ option: classes.numberOption }}
      renderOption={({ option }) => {
        const problem = problemOf.get(option.value);
        return (
          <span className={classes.option}>
            <span>{option.label}</span>
            {problem && <span>{text(problem)}</span>}
          </span>
        );
      }}
      value={value === "" ? null : value}
      onChange={(number) => onChange(number ?? "")}
      onBlur={onBlur}
      {...notedInput({ problems, error, children })}
    />
  );
}
