import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function SettingsScreen() {
  const { t } = useTranslation("settings");
  return <PageHeader title={t("title")} />;
}
