import { useTranslation } from "react-i18next";
import type { Draft, SubmissionPlan } from "@/bindings/app";
import { Facts } from "@/components/facts";
import { SamplePhone } from "@/components/phone/sample-phone";
import styles from "@/components/styles.module.css";
import { useLanguageOptions } from "@/lib/language-options";
import { useWabaName, useWabaText } from "@/lib/waba-names";
import classes from "../composer.module.css";
import { useSender } from "../sender";
import { Comparison } from "./comparison";

const CATEGORIES: ReadonlySet<string> = new Set(["MARKETING", "UTILITY", "AUTHENTICATION"]);

/** What is submitted, for people: the facts, and the message as its recipients will see it. */
export function Summary({ draft, plan }: { draft: Draft; plan: SubmissionPlan }) {
  const { t } = useTranslation("composer");
  const sender = useSender();
  const wabaText = useWabaText(draft.workspace);
  const wabaName = useWabaName(draft.workspace);
  const { name, language, category = "" } = draft.template;
  const languageOption = useLanguageOptions().options.find(({ value }) => value === language);
  const word = category?.toUpperCase() ?? "";
  return (
    <div className={classes.summary}>
      <Facts label={t("sheet.summary")}>
        <dt>{t("name")}</dt>
        <dd className={classes.mono}>{name}</dd>
        <dt>{t("language")}</dt>
        <dd>{languageOption?.label ?? language}</dd>
        <dt>{t("category")}</dt>
        <dd>{CATEGORIES.has(word) ? t(`category.${word as "MARKETING"}`, { ns: "common" }) : category}</dd>
        <dt>{t("sheet.accounts", { count: draft.wabaIds.length })}</dt>
        <dd>{draft.wabaIds.map(wabaText).join(", ")}</dd>
      </Facts>
      {plan.requests.length > 1 && (
        <p className={styles.small}>
          {t("sheet.several", {
            count: plan.requests.length,
            accounts: plan.requests.map((request) => request.wabaIds.map(wabaName).join(", ")).join("; "),
            nest: false,
          })}
        </p>
      )}
      {draft.edits == null ? (
        <SamplePhone bubble={plan.after} sender={sender} media={draft.headerFile} cardMedia={draft.cardFiles} />
      ) : (
        <Comparison draft={draft} plan={plan} />
      )}
    </div>
  );
}
