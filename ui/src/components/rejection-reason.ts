import { useTranslation } from "react-i18next";

export interface ReasonText {
  title: string;
  meaning: string;
  /** What to do about it. */
  todo: string;
}

/** A reason of the review in the language of the window. The set of words is open: another one is shown as it came. */
export function useReasonText(): (reason: string) => ReasonText {
  const { t, i18n } = useTranslation("templates");
  return (reason) => {
    const word = reason.trim().toUpperCase();
    const known = /^[A-Z_]+$/.test(word) && i18n.exists(`reason.${word}.title`, { ns: "templates" }) ? word : "other";
    const key = known as "INVALID_FORMAT";
    // What was sent may look like a reference to another text; it is not one.
    return {
      title: t(`reason.${key}.title`, { reason, nest: false }),
      meaning: t(`reason.${key}.meaning`),
      todo: t(`reason.${key}.todo`),
    };
  };
}
