import { useTranslation } from "react-i18next";
import { useMoney } from "@/lib/money";

interface Sum {
  /** The sum of the known prices, as a decimal number. */
  amount: string;
  currency: string;
  /** Messages without a price. */
  unknown: number;
}

/**
 * A sum in words. What is unknown is never said to be nothing. `about` is for what is yet to be sent, `estimate` for that
 * beside a sentence about what has no price.
 */
export function useCostText(): (sum: Sum, kind?: "exact" | "about" | "estimate") => string {
  const { t } = useTranslation("costs");
  const money = useMoney();
  return ({ amount, currency, unknown }, kind = "exact") => {
    if (unknown > 0 && Number(amount) === 0) return t("unsaid");
    const text = money(amount, currency);
    if (unknown > 0) {
      return kind === "estimate"
        ? t("atLeastAmount", { amount: text, nest: false })
        : t("atLeast", { count: unknown, amount: text, nest: false });
    }
    return kind !== "exact" ? t("total", { amount: text, nest: false }) : text;
  };
}
