import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function ComposerScreen() {
  const { t } = useTranslation("composer");
  return <PageHeader title={t("title")} />;
}
