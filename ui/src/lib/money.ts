import { useTranslation } from "react-i18next";
import { numberFormat } from "./formats";

/** Digits after the point: the channel's prices have up to four, and small currencies none. */
const MOST_DIGITS = 4;

/** The most digits after the point that a price of a column has, so that all of them have as many. */
export function decimalPlaces(prices: readonly (string | null | undefined)[]): number {
  const places = prices.map((price) => (price ?? "").split(".")[1]?.replace(/0+$/, "").length ?? 0);
  return Math.min(Math.max(0, ...places), MOST_DIGITS);
}

/**
 * An amount, given as a decimal number, in the notation of the language. The price of one message has all its digits, and
 * at least `places` after the point.
 */
export function useMoney(): (amount: string, currency: string, kind?: "sum" | "price", places?: number) => string {
  const { i18n } = useTranslation();
  return (amount, currency, kind = "sum", places = 0) => {
    const value = Number(amount);
    const coin = numberFormat(i18n.language, { style: "currency", currency }).resolvedOptions().minimumFractionDigits;
    const digits =
      kind === "price"
        ? { minimumFractionDigits: Math.max(places, coin ?? 0), maximumFractionDigits: MOST_DIGITS }
        : {};
    // Less than the smallest coin is not nothing.
    const isTiny = kind === "sum" && value !== 0 && Math.abs(value) < 0.01;
    const options = {
      style: "currency",
      currency,
      ...(isTiny ? { maximumFractionDigits: MOST_DIGITS } : digits),
    } as const;
    return numberFormat(i18n.language, options).format(value);
  };
}
