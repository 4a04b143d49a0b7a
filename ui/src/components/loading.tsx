import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useRowScale } from "@/lib/appearance";
import classes from "./loading.module.css";

interface LoadingProps {
  rows?: number;
  /** Height of a row of the list that comes, in pixels at the normal size of text: nothing moves when it is there. */
  rowHeight?: number;
}

/** Placeholder of rows that are loading. */
export function Loading({ rows = 6, rowHeight }: LoadingProps) {
  const { t } = useTranslation();
  const scale = useRowScale();
  return (
    <div role="status" className={rowHeight === undefined ? classes.rows : undefined}>
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className={rowHeight === undefined ? classes.row : classes.listRow}
          style={rowHeight === undefined ? undefined : { height: Math.round(rowHeight * scale) }}
        >
          <Skeleton height={14} width={`${22 + ((row * 7) % 14)}%`} />
          <Skeleton height={14} style={{ flex: 1 }} />
          <Skeleton height={18} width={72} radius="xl" />
        </div>
      ))}
    </div>
  );
}
