import { useTranslation } from "react-i18next";

export interface CodeText {
  /** What happened. */
  meaning: string;
  /** What to do about it. */
  advice: string;
}

/** What a code of the channel means in the language of the window; `undefined` where it is not known. */
export function useErrorCodeText(): (code: string | null | undefined) => CodeText | undefined {
  const { t, i18n } = useTranslation("errorCodes");
  return (code) => {
    // The permission codes 200 to 299 share one entry.
    const known = code && /^2\d\d$/.test(code) ? "200" : code;
    if (!known || !i18n.exists(`${known}.meaning`, { ns: "errorCodes" })) return undefined;
    return { meaning: t(`${known}.meaning` as "0.meaning"), advice: t(`${known}.advice` as "0.advice") };
  };
}
