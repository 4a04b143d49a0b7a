import { useTranslation } from "react-i18next";
import type { StatusPricing } from "@/bindings/app";
import { useCategoryText } from "@/components/status-badge";

/**
 * What a message costs, as far as the channel says; nothing where it says nothing. Until it is delivered, a price
 * `isAnnounced` only.
 */
export function usePriceText(): (pricing: StatusPricing | null | undefined, isAnnounced?: boolean) => string {
  const { t, i18n } = useTranslation("sends");
  const category = useCategoryText();
  const word = (group: "models" | "types", key: string | null | undefined) =>
    key != null && i18n.exists(`pricing.${group}.${key}`, { ns: "sends" })
      ? t(`pricing.${group}.${key}` as "pricing.types.regular")
      : (key ?? undefined);
  return (pricing, isAnnounced = false) => {
    if (!pricing) return "";
    const { charged, model, type, subtype, category: rate } = pricing;
    const charge = isAnnounced ? "pricing.chargedLater" : "pricing.charged";
    const words = [
      charged == null ? undefined : t(charged ? charge : "pricing.free"),
      rate ? category(rate) : undefined,
      word("models", model),
      word("types", type),
      subtype === "paid_exempt" ? t("pricing.exempt") : (subtype ?? undefined),
    ];
    return words.filter((one) => one !== undefined).join(" · ");
  };
}
