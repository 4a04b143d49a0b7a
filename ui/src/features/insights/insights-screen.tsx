import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function InsightsScreen() {
  const { t } = useTranslation("insights");
  return <PageHeader title={t("title")} />;
}
