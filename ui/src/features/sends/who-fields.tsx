import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecipientFacts, SendingNumber } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { notedInput } from "./problem-notes";
import { RecipientField } from "./recipient-field";
import classes from "./sends.module.css";

interface WhoFieldsProps {
  workspace: string;
  sandbox: boolean;
  typed: { to: string; country?: string | null; number: string };
  onChange: (change: { to?: string; country?: string | null; number?: string }) => void;
  onLeave: (field: string) => void;
  numbers: readonly SendingNumber[];
  problems: ReadonlyMap<string, readonly SendProblem[]>;
  errorOf: (field: string) => string | undefined;
  known?: RecipientFacts | undefined;
}

/** Who gets the message, and the number it comes from. */
export function WhoFields(props: WhoFieldsProps) {
  const { workspace, sandbox, typed, onChange, onLeave, numbers, problems, errorOf, known } = props;
  const { t } = useTranslation("sends");
  return (
    <fieldset className={classes.section}>
      <legend>{t("form.who")}</legend>
      <div className={classes.pair}>
        <RecipientField
          workspace={workspace}
          sandbox={sandbox}
          value={typed.to}
          onChange={(to) => onChange({ to })}
          country={typed.country ?? ""}
          onCountry={(country) => onChange({ country: country === "" ? null : country })}
          onBlur={() => onLeave("to")}
          problems={problems.get("to") ?? []}
          error={errorOf("to")}
          known={known}
        />
        <Select
          label={t("form.number")}
          withAsterisk
          required
          allowDeselect={false}
          data-field="number"
          data={numbers.map(({ id, label }) => ({ value: id, label: label === "" ? id : `${label} (${id})` }))}
          value={typed.number === "" ? null : typed.number}
          onChange={(number) => onChange({ number: number ?? "" })}
          onBlur={() => onLeave("number")}
          {...notedInput({
            problems: problems.get("number") ?? [],
            error: errorOf("number"),
            children: <span>{t("form.numberHint")}</span>,
          })}
        />
      </div>
    </fieldset>
  );
}
