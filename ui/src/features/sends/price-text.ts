import { useTranslation } from "react-i18next";
import type { StatusPricing } from "@/bindings/app";
import { useCategoryText } from "@/components/status-badge";

/** What a message costs, as far as the channel says; nothing where it says nothing. */
export function usePriceText(): (pricing: StatusPricing | null | undefined) => string {
  const { t, i18n } = useTranslation("sends");
  const category = useCategoryText();
  const word = (group: "models" | "types", key: string | null | undefined) =>
    key != null && i18n.exists(`pricing.${group}.${key}`, { ns: "sends" })
      ? t(`pricing.${group}.${key}` as "pricing.types.regular")
      : (key ?? undefined);
  return (pricing) => {
    if (!pricing) return "";
    const { charged, model, type, subtype, category: rate } = pricing;
    const words = [
      charged == null ? undefined : t(charged ? "pricing.charged" : "pricing.free"),
      rate ? category(rate) : undefined,
      word("models", model),
      word("types", type),
      subtype === "paid_exempt" ? t("pricing.exempt") : (subtype ?? undefined),
    ];
    return words.filter((one) => one !== undefined).join(" · ");
  };
}
