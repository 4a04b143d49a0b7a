import { Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SandboxFault } from "@/bindings/app";
import { NumberField } from "@/components/number-field";
import classes from "./sandbox-phone.module.css";

const OPERATIONS = ["send", "create", "edit", "archive", "unarchive", "delete", "list"] as const;
/** Requests that change something: an answer that is lost leaves their outcome unknown. */
const CHANGES = OPERATIONS.filter((operation) => operation !== "list");
const ANSWERS = [
  "none",
  "cut",
  "500",
  "502",
  "503",
  "503-retry",
  "504",
  "520",
  "401",
  "ahead",
  "behind",
  "omit",
] as const;
/** Answers whose effect needs a sentence of its own. */
const EXPLAINED = ["401", "ahead", "behind", "omit"] as const;
const MAX_TIMES = 1_000_000;
/** What `Retry-After` asks for. */
const RETRY_AFTER_SECONDS = 2;
const HOUR_SECONDS = 3_600;
/** Ten years. */
const MAX_HOURS = 87_600;
/** What a clock is off by at first. */
const HOURS_OFF = 48;

type Answer = (typeof ANSWERS)[number];

interface FaultSettingsProps {
  fault: SandboxFault | null;
  onChange: (fault: SandboxFault | null) => void;
  error: (field: string) => string | undefined;
}

/** Requests that the sandbox does not answer as it should. */
export function FaultSettings({ fault, onChange, error }: FaultSettingsProps) {
  const { t } = useTranslation("sandboxPhone");
  const answer = answerOf(fault);
  // A status set by another client is shown as it is.
  const known: string[] = ANSWERS.includes(answer as Answer) ? [...ANSWERS] : [...ANSWERS, answer];
  const label = (value: string) =>
    ANSWERS.includes(value as Answer) ? t(`fault.answerIs.${value as Answer}`) : `HTTP ${value}`;
  const explained = EXPLAINED.find((known) => known === answer);
  return (
    <fieldset className={classes.group}>
      <legend>{t("fault.title")}</legend>
      <Select
        label={t("fault.answer")}
        description={explained ? t(`fault.text.${explained}`) : t("fault.answerText")}
        data={known.map((value) => ({ value, label: label(value) }))}
        value={answer}
        onChange={(value) => value && onChange(faultOf(value, fault))}
        allowDeselect={false}
        error={error("answer")}
      />
      {fault?.answer === "omit" && (
        <TextInput
          label={t("fault.template")}
          value={fault.template ?? ""}
          onChange={(event) => onChange({ ...fault, template: event.currentTarget.value })}
          error={error("template")}
        />
      )}
      {(fault?.answer === "ahead" || fault?.answer === "behind") && (
        <NumberField
          label={t("fault.hours")}
          min={1}
          max={MAX_HOURS}
          value={(fault.offset ?? 0) / HOUR_SECONDS}
          onChange={(hours) => onChange({ ...fault, offset: hours * HOUR_SECONDS })}
          error={error("offset")}
        />
      )}
      {fault && fault.answer !== "omit" && (
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
      )}
      {answer === "401" && fault && (
        <NumberField
          label={t("fault.from")}
          min={1}
          max={MAX_TIMES}
          value={fault.from ?? 1}
          onChange={(from) => onChange({ ...fault, from })}
          error={error("from")}
        />
      )}
      {fault && (
        <>
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
  if (fault.answer !== "status") return fault.answer;
  return fault.retryAfter === null ? String(fault.status) : `${fault.status}-retry`;
}

/** The fault with the chosen answer. What the person chose for another lost answer stays. */
function faultOf(value: string, before: SandboxFault | null): SandboxFault | null {
  if (value === "none") return null;
  const nothing = { status: null, retryAfter: null, offset: null, template: null, from: null };
  // Until it is switched off: a token stays revoked, and a clock stays wrong.
  const lasting = { ...nothing, operations: [...OPERATIONS], times: null };
  if (value === "401") return { ...lasting, answer: "status", status: 401, from: 1 };
  if (value === "ahead" || value === "behind") return { ...lasting, answer: value, offset: HOURS_OFF * HOUR_SECONDS };
  if (value === "omit") return { ...nothing, answer: "omit", operations: ["list"], template: "", times: 1 };
  const [status, retry] = value.split("-");
  const isLost = before?.answer === "cut" || (before?.answer === "status" && before.status !== 401);
  const scope = isLost ? { operations: before.operations, times: before.times } : { operations: CHANGES, times: 1 };
  if (value === "cut") return { ...nothing, ...scope, answer: "cut" };
  return {
    ...nothing,
    ...scope,
    answer: "status",
    status: Number(status),
    retryAfter: retry === undefined ? null : RETRY_AFTER_SECONDS,
  };
}
