import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function TemplateScreen() {
  const { t } = useTranslation("templates");
  return <PageHeader title={t("title")} />;
}
