import { useTranslation } from "react-i18next";
import type { StatusCause } from "@/bindings/app";
import { useNow } from "@/lib/now";
import { localTime } from "./instant";

/** That a template will be disabled, and when if that is known: as an instant, or as the channel wrote it. */
export function useFlaggedText(): (cause: StatusCause) => string {
  const { t, i18n } = useTranslation("templates");
  const now = useNow();
  return ({ disabledAt, disabledOn }) => {
    const date = disabledAt == null ? disabledOn : localTime(disabledAt, i18n.language);
    if (date == null) return t("flagged");
    // The day has come, and nobody said that the channel did it.
    const isPast = disabledAt != null && disabledAt <= now;
    return t(isPast ? "flaggedPast" : "flaggedOn", { date, nest: false });
  };
}
