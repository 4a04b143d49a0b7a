import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";

export function SandboxPhoneScreen() {
  const { t } = useTranslation("sandboxPhone");
  return <PageHeader title={t("title")} />;
}
