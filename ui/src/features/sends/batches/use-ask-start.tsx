import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { Facts } from "@/components/facts";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { useNumberName } from "@/lib/number-names";
import classes from "./batches.module.css";
import { RowsCost } from "./rows-cost";

/** The last look before a planned batch leaves: who gets what from which number, and what it costs. */
export function useAskStart(): (batch: Batch, onConfirm: () => void) => void {
  const { t } = useTranslation("batches");
  const { sandbox } = useWorkspace();
  const languageName = useLanguageName();
  const numberName = useNumberName();
  return ({ id, counts, templateName, language, number }, onConfirm) =>
    modals.openConfirmModal({
      title: t("start.title", { count: counts.planned }),
      children: (
        <div className={classes.start}>
          <p>{t("start.what", { count: counts.planned })}</p>
          <Facts>
            <dt>{t("start.template")}</dt>
            <dd>
              {templateName} · {languageName(language)}
            </dd>
            <dt>{t("start.from")}</dt>
            <dd>{numberName(number) ?? number}</dd>
            <dt>{t("start.people")}</dt>
            <dd>{t("start.good", { count: counts.planned })}</dd>
            <dt>{t("title", { ns: "costs" })}</dt>
            <dd>
              <RowsCost batch={id} states={["planned"]} />
            </dd>
          </Facts>
          {counts.skipped > 0 && <p>{t("round.leftOut", { count: counts.skipped })}</p>}
          <p className={classes.text}>{t(sandbox ? "start.sandbox" : "start.real")}</p>
        </div>
      ),
      labels: { cancel: t("cancel", { ns: "common" }), confirm: t("start.run", { count: counts.planned }) },
      onConfirm,
    });
}
