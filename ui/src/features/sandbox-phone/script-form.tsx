import { Button, Checkbox, Radio, SegmentedControl, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneRow, PhoneScript } from "@/bindings/app";
import { useErrorCodeText } from "@/components/error-code";
import { ErrorNotice } from "@/components/error-notice";
import { NumberField } from "@/components/number-field";
import { hasInvalidNumber } from "@/components/number-text";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { fieldName } from "./field-name";
import { sandboxPhoneQueries } from "./queries";
import classes from "./sandbox-phone.module.css";
import { COURSES, type Course, DEFAULTS, EVERY_PHONE, isPlain, scriptOf } from "./script";

/** A day: longer waits help nobody in a sandbox. */
const MAX_SECONDS = 86_400;
const PLAIN: PhoneScript = { next: "deliver" };
const MAX_TIMES = 20;
const MAX_SENDS = 1_000_000;

interface ScriptFormProps {
  phone: PhoneRow | undefined;
  /** What happens on every phone that has no script of its own. */
  everyScript: PhoneScript | undefined;
}

/** What happens to the next messages, of the phone that is open or of every phone. */
export function ScriptForm({ phone, everyScript }: ScriptFormProps) {
  const { t } = useTranslation("sandboxPhone");
  const [everywhere, setEverywhere] = useState(phone === undefined);
  const save = useCommand("save_phone_script");
  const [initial] = useState<PhoneScript>(phone?.script ?? everyScript ?? PLAIN);
  const form = useForm({
    initial,
    errors: [save.error?.error],
    fields: ["code", "ms", "times", "count"],
    fieldOf: fieldName,
    onChange: save.reset,
  });
  const { values: script, change: set, errorOf } = form;
  const recipient = everywhere || phone === undefined ? EVERY_PHONE : phone.recipient;
  const course = script.next;
  const lacksCode = course === "fail" && script.code == null;
  const store = (next: PhoneScript | null) => save.mutate({ recipient, script: next });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (hasInvalidNumber(scriptOf(script))) return;
    // A phone may be left out of what happens to every phone; for all of them, the ordinary course is no script at all.
    store(recipient === EVERY_PHONE && isPlain(script) ? null : scriptOf(script));
  };

  return (
    <section className={classes.card} aria-labelledby="phone-script">
      <h2 id="phone-script">{t("script.title")}</h2>
      <form className={classes.settingsForm} onSubmit={onSubmit}>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t("script.scope")}
          value={recipient === EVERY_PHONE ? "every" : "this"}
          onChange={(scope) => {
            save.reset();
            setEverywhere(scope === "every");
            form.reset((scope === "every" ? everyScript : phone?.script) ?? PLAIN);
          }}
          data={[
            { value: "this", label: t("script.thisPhone"), disabled: phone === undefined },
            { value: "every", label: t("script.everyPhone") },
          ]}
        />
        <Radio.Group
          aria-label={t("script.title")}
          value={script.next}
          onChange={(next) => set({ next: next as Course })}
        >
          <Stack gap="xs">
            {COURSES.map((next) => (
              <Radio
                key={next}
                size="xs"
                value={next}
                label={t(`script.course.${next}`)}
                description={t(`script.courseText.${next}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {course === "slow" && (
          <NumberField
            label={t("script.seconds")}
            unit="s"
            min={0}
            max={MAX_SECONDS}
            decimals={3}
            value={(script.ms ?? DEFAULTS.ms) / 1000}
            onChange={(seconds) => set({ ms: Math.round(seconds * 1000) })}
            error={errorOf("ms")}
          />
        )}
        {course === "fail" && (
          <CodeSelect value={script.code ?? null} onChange={(code) => set({ code })} error={errorOf("code")} />
        )}
        {course === "duplicate" && (
          <NumberField
            label={t("script.times")}
            min={2}
            max={MAX_TIMES}
            value={script.times ?? DEFAULTS.times}
            onChange={(times) => set({ times })}
            error={errorOf("times")}
          />
        )}
        {course !== "deliver" && (
          <div className={classes.count}>
            <Checkbox
              size="xs"
              label={t("script.limited")}
              checked={script.count != null}
              onChange={(event) => set({ count: event.currentTarget.checked ? DEFAULTS.count : null })}
            />
            {script.count != null && (
              <NumberField
                aria-label={t("script.count")}
                size="xs"
                min={1}
                max={MAX_SENDS}
                value={script.count}
                onChange={(count) => set({ count })}
                error={errorOf("count")}
              />
            )}
          </div>
        )}
        {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
        <div className={classes.saveLine}>
          <Button type="submit" variant="light" loading={save.isPending} disabled={lacksCode}>
            {t(recipient === EVERY_PHONE ? "script.setEvery" : "script.setThis")}
          </Button>
          {!isPlain(script) && (
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() => {
                form.reset(PLAIN);
                store(null);
              }}
            >
              {t("script.clear")}
            </Button>
          )}
          <span role="status">{lacksCode ? t("script.codeMissing") : save.isSuccess ? t("script.saved") : ""}</span>
        </div>
      </form>
    </section>
  );
}

interface CodeSelectProps {
  value: number | null;
  onChange: (code: number | null) => void;
  error: string | undefined;
}

/** The codes a send may fail with, to be found by number or by what they mean. */
function CodeSelect({ value, onChange, error }: CodeSelectProps) {
  const { t } = useTranslation("sandboxPhone");
  const codes = useQuery(sandboxPhoneQueries.failureCodes());
  const textOf = useErrorCodeText();
  const meaning = (code: number, words: string) => textOf(String(code))?.meaning ?? words;
  const chosen = codes.data?.find(({ code }) => code === value);
  return (
    <>
      <Select
        label={t("script.code")}
        placeholder={t("script.codeHint")}
        searchable
        nothingFoundMessage={t("script.noCode")}
        data={codes.data?.map((row) => ({
          value: String(row.code),
          label: `${row.code} · ${meaning(row.code, row.meaning)}`,
        }))}
        value={value === null ? null : String(value)}
        onChange={(code) => onChange(code === null ? null : Number(code))}
        maxDropdownHeight={320}
        error={error}
        description={chosen && meaning(chosen.code, chosen.meaning)}
        inputWrapperOrder={["label", "input", "description", "error"]}
      />
      {codes.error && <ErrorNotice error={codes.error} onRetry={() => void codes.refetch()} />}
    </>
  );
}
