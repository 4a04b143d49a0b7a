import { useTranslation } from "react-i18next";
import type { StatusCause } from "@/bindings/app";
import { localTime } from "./instant";

/** That a template will be disabled, and when if that is known: as an instant, or as the channel wrote it. */
export function useFlaggedText(): (cause: StatusCause) => string {
  const { t, i18n } = useTranslation("templates");
  return ({ disabledAt, disabledOn }) => {
    const date = disabledAt == null ? disabledOn : localTime(disabledAt, i18n.language);
    return date == null ? t("flagged") : t("flaggedOn", { date, nest: false });
  };
}
