import { useTranslation } from "react-i18next";
import type { SendForm } from "@/bindings/app";
import { type BatchDraft, fillingOf } from "./draft";

/** What has to be chosen before anything can be checked, by field. */
export function useNeeds(draft: BatchDraft, reference: string, form: SendForm): ReadonlyMap<string, string> {
  const { t } = useTranslation("batches");
  const { mapped } = fillingOf(draft, reference, form);
  const needs = new Map<string, string>();
  if (draft.number === "") needs.set("number", t("need.number"));
  if (draft.source === "recipients") {
    if (draft.ids.length === 0) needs.set("ids", t("need.recipients"));
  } else if (!draft.file) {
    needs.set("file", t("need.file"));
  } else {
    if (draft.file.headerUncertain) needs.set("header", t("need.header"));
    if (draft.to === "") needs.set("to", t("need.to"));
    for (const { id, required } of form.parts) {
      const value = mapped[id];
      if (required && !value) needs.set(id, t("need.value"));
      if (value?.kind === "column" && !draft.file.columns.includes(value.column)) {
        needs.set(id, t("map.gone", { column: value.column, nest: false }));
      }
    }
  }
  return needs;
}
