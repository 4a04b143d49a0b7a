import { useTranslation } from "react-i18next";
import type { Draft, SubmissionPlan } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { SideBySide } from "@/components/side-by-side";
import { useSender } from "../sender";

/** What an edit changes: in words, and on the phone before and after. */
export function Comparison({ draft, plan }: { draft: Draft; plan: SubmissionPlan }) {
  const { t } = useTranslation("composer");
  const sender = useSender();
  return (
    <section aria-label={t("sheet.changes")}>
      <h3>{t("sheet.changes")}</h3>
      <ChangeList changes={plan.changes} />
      {plan.before && (
        <SideBySide
          sides={[
            { title: t("sheet.before"), bubble: plan.before, sender },
            {
              title: t("sheet.after"),
              bubble: plan.after,
              sender,
              media: draft.headerFile,
              cardMedia: draft.cardFiles,
            },
          ]}
        />
      )}
    </section>
  );
}
