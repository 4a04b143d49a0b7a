import { useTranslation } from "react-i18next";
import { BackButton } from "@/components/back-button";

interface BackProps {
  to: "/sends" | "/sends/new" | "/sends/batches" | "/sends/batches/new";
}

/** The way back to a list, or to the choice of another template. */
export function Back({ to }: BackProps) {
  const { t } = useTranslation("sends");
  const label =
    to === "/sends" ? t("title") : to === "/sends/batches" ? t("view.batches", { ns: "batches" }) : t("choose.other");
  return <BackButton to={to} label={label} />;
}
