import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BatchPlan, ValueSource } from "@/bindings/app";
import classes from "./batches.module.css";

interface EmptyCellsProps {
  plan: BatchPlan;
  /** What fills a part. */
  sourceOf: (field: string) => ValueSource | undefined;
  labelOf: (field: string) => string;
  onFallback: (field: string, fallback: string) => void;
}

/** Where a fallback replaces an empty cell, and a field for one where a value is missing. */
export function EmptyCells({ plan: { fallbacks = [], problems }, sourceOf, labelOf, onFallback }: EmptyCellsProps) {
  const { t } = useTranslation("batches");
  const missing = problems.filter(({ row, problem }) => row > 0 && problem.code === "value.missing");
  const fields = [...new Set(missing.map(({ problem }) => problem.field))];
  const offered = fields.filter((field) => sourceOf(field)?.kind === "column");
  return (
    <>
      {fallbacks.map(({ part, fallback, rows }) => (
        <p key={part} className={classes.text}>
          {t("plan.fallback", { count: rows, fallback, field: labelOf(part), nest: false })}
        </p>
      ))}
      {offered.map((field) => (
        <FallbackForm key={field} label={labelOf(field)} onUse={(text) => onFallback(field, text)} />
      ))}
    </>
  );
}

function FallbackForm({ label, onUse }: { label: string; onUse: (text: string) => void }) {
  const { t } = useTranslation("batches");
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onUse(text);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="0.5rem">
        <TextInput
          label={t("plan.fallbackFor", { field: label, nest: false })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" variant="default" disabled={text.trim() === ""}>
          {t("plan.useFallback")}
        </Button>
      </Group>
    </form>
  );
}
