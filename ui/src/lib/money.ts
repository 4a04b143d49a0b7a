import { useTranslation } from "react-i18next";
import { numberFormat } from "./formats";

/** Digits after the point: the channel's prices have up to four, and small currencies none. */
const MOST_DIGITS = 4;

/** An amount, given as a decimal number, in the notation of the language. The price of one message has all its digits. */
export function useMoney(): (amount: string, currency: string, kind?: "sum" | "price") => string {
  const { i18n } = useTranslation();
  return (amount, currency, kind = "sum") => {
    const value = Number(amount);
    const digits = kind === "price" ? { maximumFractionDigits: MOST_DIGITS } : {};
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
