import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readTime, writeTime } from "@/lib/local-time";
import classes from "../fields.module.css";
import type { InputProps } from "./input-props";

const DAY = 86_400_000;

/** Milliseconds since 1970 as a local time; the exact number beside it. */
export function InstantField({ input, value, onChange }: InputProps) {
  const { t, i18n } = useTranslation("sends");
  const [written, setWritten] = useState<{ text: string; value: string }>();
  const at = instantOf(value);
  const date = at === undefined ? undefined : new Date(at);
  const isDate = date !== undefined && !Number.isNaN(date.getTime());
  // What is being written stays as it is written; half of it may be a time already.
  const text = written?.value === value ? written.text : isDate ? writeTime(date.getTime(), { seconds: true }) : value;
  const write = (next: string) => {
    const read = readTime(next);
    const written = read === undefined ? next : String(read);
    setWritten({ text: next, value: written });
    onChange(written);
  };
  const { description, ...rest } = input;
  return (
    <div>
      <div className={classes.instant}>
        <TextInput
          {...rest}
          type="datetime-local"
          step={1}
          placeholder="2026-11-20 14:30"
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
        />
        <TextInput
          label={t("kind.milliseconds")}
          aria-label={`${String(input.label)}: ${t("kind.milliseconds")}`}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onBlur={input.onBlur}
          error={input.error}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
        <Button variant="default" h={36} onClick={() => onChange(String(Date.now() + DAY))}>
          {t("kind.inOneDay")}
        </Button>
      </div>
      {isDate && (
        <p className={classes.fieldNote}>
          {t("kind.instantIs", {
            time: new Intl.DateTimeFormat(i18n.language, { dateStyle: "full", timeStyle: "long" }).format(date),
          })}
        </p>
      )}
      {description}
    </div>
  );
}

/** A number is one of milliseconds once it is as long as those of this time are. */
function instantOf(value: string): number | undefined {
  return /^-?\d{10,}$/.test(value.trim()) ? Number(value) : undefined;
}
