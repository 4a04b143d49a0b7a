import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { dateFormat } from "@/lib/formats";
import { useNow } from "@/lib/now";
import { useDurationText } from "./duration";
import { Hint } from "./hint";
import { localTime } from "./instant";

/** How long a template has been in its state, as far as that is known. */
export function StateAge({ row }: { row: Pick<TemplateRow, "stateSince" | "stateSinceExact" | "updatedAt"> }) {
  const { t, i18n } = useTranslation("filters");
  const duration = useDurationText();
  const now = useNow();
  const { stateSince, stateSinceExact } = row;
  if (stateSince == null) {
    if (row.updatedAt == null) return null;
    return (
      <Hint label={() => t("age.unknownHint")} multiline maw="20rem">
        <span>{t("age.changed", { time: localTime(row.updatedAt, i18n.language) })}</span>
      </Hint>
    );
  }
  if (stateSinceExact) {
    return (
      <Hint label={() => dateFormat(i18n.language, { dateStyle: "medium", timeStyle: "medium" }).format(stateSince)}>
        <span>{t("age.for", { length: duration(Math.max(0, now - stateSince)) })}</span>
      </Hint>
    );
  }
  return (
    <Hint label={() => t("age.latestHint")} multiline maw="20rem">
      <span>{t("age.latest", { time: localTime(stateSince, i18n.language) })}</span>
    </Hint>
  );
}
