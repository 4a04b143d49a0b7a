import { useTranslation } from "react-i18next";

export interface CodeText {
  /** What happened. */
  meaning: string;
  /** What to do about it. */
  advice: string;
}

/**
 * What a code of the channel means in the language of the window; `undefined` where it is not known. The advice about a free
 * text names no template that it has not.
 */
export function useErrorCodeText(): (code: string | null | undefined, isFreeText?: boolean) => CodeText | undefined {
  const { t, i18n } = useTranslation("errorCodes");
  return (code, isFreeText = false) => {
    // The permission codes 200 to 299 share one entry.
    const known = code && /^2\d\d$/.test(code) ? "200" : code;
    if (!known || !i18n.exists(`${known}.meaning`, { ns: "errorCodes" })) return undefined;
    const isOther = isFreeText && i18n.exists(`${known}.adviceForText`, { ns: "errorCodes" });
    return {
      meaning: t(`${known}.meaning` as "0.meaning"),
      advice: t(isOther ? (`${known}.adviceForText` as "1.adviceForText") : (`${known}.advice` as "0.advice")),
    };
  };
}
