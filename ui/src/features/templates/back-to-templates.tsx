import { useTranslation } from "react-i18next";
import { BackButton } from "@/components/back-button";

/** The way back keeps the filters. */
export function BackToTemplates() {
  const { t } = useTranslation("templates");
  return <BackButton to="/templates" label={t("detail.back")} />;
}
