import { Collapse, Stack, Switch, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { SendProblem } from "@/bindings/model";
import { CopyButton } from "@/components/copy-button";
import { lengthOf } from "@/components/length-counter";
import { notedInput } from "@/components/problem-notes";
import { JsonField } from "./fields/json-field";
import classes from "./fields.module.css";
import type { CallbackFormState } from "./send-form-state";
import shared from "./sends.module.css";

interface CallbackFieldsProps {
  value: CallbackFormState;
  onChange: (change: Partial<CallbackFormState>) => void;
  problems: readonly SendProblem[];
  error?: string | undefined;
  /** The string that goes, where one does. */
  sent: string | null | undefined;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  onBlur: () => void;
  /** Fields before those of the callback data. */
  children?: ReactNode;
}

/** What few sends need: what comes back with every status, and other fields before it. */
export function CallbackFields({
  value,
  onChange,
  problems,
  error,
  sent,
  opened,
  onOpen,
  onBlur,
  children,
}: CallbackFieldsProps) {
  const { t } = useTranslation("sends");
  const id = useId();
  const hint = <span>{t(value.exactCallback ? "callback.exactLabelHint" : "callback.hint")}</span>;
  return (
    <div>
      <UnstyledButton
        className={shared.advanced}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => onOpen(!opened)}
      >
        {opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        {t("form.advanced")}
      </UnstyledButton>
      <Collapse expanded={opened} id={id} transitionDuration={0}>
        {opened && (
          <Stack gap="0.875rem" pt="0.75rem">
            {children}
            <JsonField
              input={{
                label: t("callback.label"),
                placeholder: "",
                required: false,
                withAsterisk: false,
                autoComplete: "off",
                "data-field": "callbackData",
                onBlur,
                ...notedInput({ problems, error, children: hint }),
              }}
              value={value.callbackData}
              onChange={(callbackData) => onChange({ callbackData })}
              problems={problems}
              minHeight="4rem"
            />
            <Switch
              label={t("callback.track")}
              description={t("callback.trackHint")}
              checked={value.track && !value.exactCallback}
              disabled={value.exactCallback}
              onChange={(event) => onChange({ track: event.currentTarget.checked })}
            />
            <Switch
              label={t("callback.exact")}
              description={t("callback.exactHint")}
              checked={value.exactCallback}
              onChange={(event) => onChange({ exactCallback: event.currentTarget.checked })}
            />
            <div className={classes.sent}>
              <p>
                {t("callback.goes")}
                {sent && <span> · {t("callback.length", { count: lengthOf(sent) })}</span>}
              </p>
              {sent ? (
                <div>
                  <code role="group" aria-label={t("callback.goes")}>
                    {sent}
                  </code>
                  <CopyButton text={sent} label={t("callback.copy")} />
                </div>
              ) : (
                <p className={shared.stepText}>{t("callback.none")}</p>
              )}
              {sent && value.track && !value.exactCallback && (
                <p className={shared.stepText}>{t("callback.trackLater")}</p>
              )}
            </div>
          </Stack>
        )}
      </Collapse>
    </div>
  );
}
