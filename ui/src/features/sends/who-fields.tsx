import { useTranslation } from "react-i18next";
import type { RecipientFacts } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { SendingNotices } from "@/components/sending-notices";
import { NumberSelect } from "./number-select";
import { RecipientField } from "./recipient-field";
import { ReplyNote } from "./reply-note";
import classes from "./sends.module.css";

interface WhoFieldsProps {
  workspace: string;
  sandbox: boolean;
  typed: { to: string; country?: string | null; number: string };
  onChange: (change: { to?: string; country?: string | null; number?: string }) => void;
  onLeave: (field: string) => void;
  numbers: Parameters<typeof NumberSelect>[0]["numbers"];
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
      <ReplyNote workspace={workspace} sandbox={sandbox} typed={typed} />
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
        <NumberSelect
          numbers={numbers}
          value={typed.number}
          onChange={(number) => onChange({ number })}
          onBlur={() => onLeave("number")}
          problems={problems.get("number") ?? []}
          error={errorOf("number")}
        >
          {!problems.has("number") && <span>{t("form.numberHint")}</span>}
        </NumberSelect>
      </div>
      <SendingNotices workspace={workspace} number={typed.number} />
    </fieldset>
  );
}
