import { Checkbox, Group, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SandboxFault } from "@/bindings/app";
import { NumberField } from "@/components/number-field";
import classes from "./sandbox-phone.module.css";

const OPERATIONS = ["send", "create", "edit", "archive", "unarchive", "delete"] as const;
const ANSWERS = ["none", "cut", "500", "502", "503", "503-retry", "504", "520"] as const;
const MAX_TIMES = 1_000_000;
/** What `Retry-After` asks for. */
const RETRY_AFTER_SECONDS = 2;

type Answer = (typeof ANSWERS)[number];

interface FaultSettingsProps {
  fault: SandboxFault | null;
  onChange: (fault: SandboxFault | null) => void;
  error: (field: string) => string | undefined;
}

/** Requests that the sandbox carries out and whose answer it loses. */
export function FaultSettings({ fault, onChange, error }: FaultSettingsProps) {
  const { t } = useTranslation("sandboxPhone");
  const answer = answerOf(fault);
  // A status set by another client is shown as it is.
  const known: string[] = ANSWERS.includes(answer as Answer) ? [...ANSWERS] : [...ANSWERS, answer];
  const label = (value: string) =>
    ANSWERS.includes(value as Answer) ? t(`fault.answerIs.${value as Answer}`) : `HTTP ${value}`;
  const choose = (value: string) => {
    if (value === "none") {
      onChange(null);
      return;
    }
    const [status, retry] = value.split("-");
    onChange({
      operations: fault?.operations ?? [...OPERATIONS],
      status: value === "cut" ? null : Number(status),
      retryAfter: retry === undefined ? null : RETRY_AFTER_SECONDS,
      times: fault ? fault.times : 1,
    });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{t("fault.title")}</legend>
      <Select
        label={t("fault.answer")}
        description={t("fault.answerText")}
        data={known.map((value) => ({ value, label: label(value) }))}
        value={answer}
        onChange={(value) => value && choose(value)}
        allowDeselect={false}
        error={error("answer")}
      />
      {fault && (
        <>
          <Checkbox.Group
            label={t("fault.operations")}
            value={fault.operations}
            onChange={(operations) =>
              onChange({ ...fault, operations: OPERATIONS.filter((operation) => operations.includes(operation)) })
            }
            error={error("operations")}
          >
            <Group gap="xs" mt={6}>
              {OPERATIONS.map((operation) => (
                <Checkbox key={operation} size="xs" value={operation} label={t(`fault.operation.${operation}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Checkbox
            size="xs"
            label={t("fault.limited")}
            checked={fault.times !== null}
            onChange={(event) => onChange({ ...fault, times: event.currentTarget.checked ? 1 : null })}
          />
          {fault.times !== null && (
            <NumberField
              label={t("fault.times")}
              min={1}
              max={MAX_TIMES}
              value={fault.times}
              onChange={(times) => onChange({ ...fault, times })}
              error={error("times")}
            />
          )}
        </>
      )}
    </fieldset>
  );
}

function answerOf(fault: SandboxFault | null): string {
  if (fault === null) return "none";
  if (fault.status === null) return "cut";
  return fault.retryAfter === null ? String(fault.status) : `${fault.status}-retry`;
}
