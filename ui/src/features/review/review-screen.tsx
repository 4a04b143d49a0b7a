import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function ReviewScreen() {
  const { t } = useTranslation("review");
  return <PageHeader title={t("title")} />;
}
