import { useTranslation } from "react-i18next";
import type { AccountNotice } from "@/bindings/app";
import { useWabaName } from "@/lib/waba-names";
import { useFactText } from "./fact-text";

/** What a notice about an account or a number of a workspace says: a sentence, and its facts in a line. */
export function useAccountNoticeText(workspace: string): (notice: AccountNotice) => { title: string; facts: string } {
  const { t } = useTranslation("activity");
  const factText = useFactText();
  const wabaName = useWabaName(workspace);
  return ({ meaning, facts, account }) => {
    const all = account == null ? facts : [...facts, { label: "account", value: wabaName(account) }];
    const texts = all.map(factText).map(({ label, value }) => `${label}: ${value}`);
    return { title: t(`meaning.${meaning}`), facts: texts.join(" · ") };
  };
}

/** The color of a notice. */
export const NOTICE_COLOR = { critical: "red", warning: "yellow", information: "teal" } as const satisfies Record<
  AccountNotice["severity"],
  string
>;
