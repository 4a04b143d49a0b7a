import { useTranslation } from "react-i18next";
import type { AccountNotice } from "@/bindings/app";
import { numberFormat } from "@/lib/formats";
import { useForeignAccountText, useWabaName } from "@/lib/waba-names";
import { isPeople, useFactText } from "./fact-text";

/** What a notice about an account or a number of a workspace says: a sentence, and its facts in a line. */
export function useAccountNoticeText(workspace: string): (notice: AccountNotice) => { title: string; facts: string } {
  const { t, i18n } = useTranslation("activity");
  const factText = useFactText();
  const wabaName = useWabaName(workspace);
  const foreignText = useForeignAccountText(workspace);
  return ({ meaning, facts, account }) => {
    const limit =
      meaning === "limitChanged" ? facts.find((fact) => fact.label === "limit" && isPeople(fact)) : undefined;
    const others = facts.filter((fact) => fact !== limit);
    const foreign = foreignText(account);
    const all =
      account == null || foreign !== undefined ? others : [...others, { label: "account", value: wabaName(account) }];
    const texts = all.map(factText).map(({ label, value }) => `${label}: ${value}`);
    if (foreign !== undefined) texts.push(foreign);
    const title =
      limit === undefined
        ? t(`meaning.${meaning}`)
        : t("limitNow", { people: numberFormat(i18n.language, {}).format(Number(limit.value)) });
    return { title, facts: texts.join(" · ") };
  };
}

/** The color of a notice. */
export const NOTICE_COLOR = { critical: "red", warning: "yellow", information: "teal" } as const satisfies Record<
  AccountNotice["severity"],
  string
>;
