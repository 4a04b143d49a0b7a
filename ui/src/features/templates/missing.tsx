import { Alert } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { Instant } from "@/components/instant";

/** Of a template that the last listing left out: that it may have been deleted, and that the next refresh decides. */
export function Missing({ row }: { row: TemplateRow }) {
  const { t } = useTranslation("templates");
  if (row.missingSince == null) return null;
  return (
    <Alert
      role="status"
      color="orange"
      variant="light"
      icon={<IconInfoCircle size={20} stroke={1.7} />}
      title={
        <>
          {t("missing.since")} <Instant at={row.missingSince} format="full" />
        </>
      }
    >
      {t("missing.text")}
    </Alert>
  );
}
