import { useTranslation } from "react-i18next";
import type { Attachment, Draft, SubmissionPlan } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { Phone } from "@/components/phone/phone";
import edit from "../edit.module.css";

/** What an edit changes: in words, and on the phone before and after. */
export function Comparison({ draft, plan }: { draft: Draft; plan: SubmissionPlan }) {
  const { t } = useTranslation("composer");
  return (
    <section aria-label={t("sheet.changes")}>
      <h3>{t("sheet.changes")}</h3>
      <ChangeList changes={plan.changes} />
      {plan.before && (
        <div className={edit.phones}>
          <div role="group" aria-label={t("sheet.before")}>
            <h4>{t("sheet.before")}</h4>
            <Phone bubble={plan.before} />
          </div>
          <div role="group" aria-label={t("sheet.after")}>
            <h4>{t("sheet.after")}</h4>
            <Phone bubble={plan.after} media={mediaOf(draft.headerFile)} cardMedia={draft.cardFiles.map(mediaOf)} />
          </div>
        </div>
      )}
    </section>
  );
}

function mediaOf(file: Attachment | null | undefined) {
  return file ? { name: file.name, thumbnail: file.thumbnail } : undefined;
}
