import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

interface BackProps {
  to: "/sends" | "/sends/new" | "/sends/batches" | "/sends/batches/new";
}

/** The way back to a list, or to the choice of another template. */
export function Back({ to }: BackProps) {
  const { t } = useTranslation("sends");
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      renderRoot={(props) => <Link to={to} search={{}} {...props} />}
    >
      {to === "/sends"
        ? t("title")
        : to === "/sends/batches"
          ? t("view.batches", { ns: "batches" })
          : t("choose.other")}
    </Button>
  );
}
