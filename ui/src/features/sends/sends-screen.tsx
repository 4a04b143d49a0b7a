import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function SendsScreen() {
  const { t } = useTranslation("sends");
  return <PageHeader title={t("title")} />;
}
