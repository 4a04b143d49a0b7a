import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function InboxScreen() {
  const { t } = useTranslation("inbox");
  return <PageHeader title={t("title")} />;
}
