import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function ActivityScreen() {
  const { t } = useTranslation("activity");
  return <PageHeader title={t("title")} />;
}
