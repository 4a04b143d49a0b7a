import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Placeholder of rows that are loading. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" style={{ display: "grid", gap: "0.75rem", padding: "1rem 1.25rem" }}>
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ display: "flex", gap: "0.75rem", alignItems: "center" }}>
          <Skeleton height={14} width={`${22 + ((row * 7) % 14)}%`} />
          <Skeleton height={14} style={{ flex: 1 }} />
          <Skeleton height={18} width={72} radius="xl" />
        </div>
      ))}
    </div>
  );
}
