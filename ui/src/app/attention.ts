import { useTranslation } from "react-i18next";
import type { WorkspaceSummary } from "@/bindings/app";

/** What about a workspace needs somebody, in words; absent where nothing does. */
export function useAttentionText(): (workspace: WorkspaceSummary) => string | undefined {
  const { t } = useTranslation("shell");
  return ({ attention, tokenDaysLeft }) => {
    if (attention === "tokenExpired") return t("attention.tokenExpired");
    if (attention === "webhooksFailing") return t("attention.webhooksFailing");
    if (attention !== "tokenExpiring") return undefined;
    const days = tokenDaysLeft ?? 0;
    return days === 0 ? t("attention.tokenToday") : t("attention.tokenExpiring", { count: days });
  };
}
