import { useTranslation } from "react-i18next";
import type { WorkspaceSummary } from "@/bindings/app";

/** Why a workspace needs attention, in words; absent where it doesn't. */
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
