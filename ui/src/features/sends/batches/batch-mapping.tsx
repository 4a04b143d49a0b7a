import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Batch, BatchMapping as Mapping, ValueSource } from "@/bindings/app";
import { Facts } from "@/components/facts";
import { sendsQueries } from "../queries";
import classes from "./batches.module.css";
import { kindOf } from "./column-format";
import { usePartTexts, usePersonFieldText } from "./use-field-labels";

/** Which column filled which part of a batch. Nothing where it is not known. */
export function BatchMapping({ batch: { id, workspace, reference } }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const mapping = useQuery(sendsQueries.batchMapping(id)).data;
  // A template that is gone has no names for its parts.
  const form = useQuery({ ...sendsQueries.sendForm(workspace, reference), retry: false });
  const partText = usePartTexts(form.data ?? { parts: [] });
  const sourceText = useValueSourceText();
  if (!mapping || form.isPending) return null;
  const { file, values } = mapping;
  return (
    <details className={classes.costs}>
      <summary>{t("mapping.title")}</summary>
      <Facts>
        {file && (
          <>
            <dt>{t("csv.to")}</dt>
            <dd dir="auto">{file.to}</dd>
          </>
        )}
        {file?.name && (
          <>
            <dt>{t("csv.name")}</dt>
            <dd dir="auto">{file.name}</dd>
          </>
        )}
        {Object.entries(values).flatMap(([part, source]) => {
          const text = source && sourceText(mapping, source);
          return text
            ? [
                <dt key={part}>{partText(part) ?? part}</dt>,
                <dd key={`${part} source`} dir="auto">
                  {text}
                </dd>,
              ]
            : [];
        })}
      </Facts>
    </details>
  );
}

/** Where the value of a part comes from, with its format and fallback; empty for an empty value. */
function useValueSourceText(): (mapping: Mapping, source: ValueSource) => string {
  const { t } = useTranslation("batches");
  const fieldText = usePersonFieldText();
  return ({ file }, source) => {
    if (source.kind === "fixed") {
      return source.value === "" ? "" : t("mapping.fixed", { value: source.value, nest: false });
    }
    const { column, fallback, transform } = source;
    const parts = [file ? t("mapping.column", { column, nest: false }) : fieldText(column)];
    if (transform != null) parts.push(t(`map.formats.${kindOf(transform)}`));
    if (transform != null && transform !== "titleCase") {
      if ("date" in transform && transform.date.order) parts.push(t(`map.orders.${transform.date.order}`));
      if ("number" in transform && transform.number.mark) parts.push(t(`map.marks.${transform.number.mark}`));
      if ("money" in transform) parts.push(transform.money.currency);
      if ("money" in transform && transform.money.mark) parts.push(t(`map.marks.${transform.money.mark}`));
    }
    if (fallback?.trim()) parts.push(t("mapping.fallback", { text: fallback, nest: false }));
    return parts.join(" · ");
  };
}
