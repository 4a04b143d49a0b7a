import { ActionIcon, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SendPreview } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Panel } from "@/components/panel";
import { Phone } from "@/components/phone/phone";
import sends from "../sends.module.css";

interface BatchPreviewProps {
  preview: UseQueryResult<SendPreview>;
  /** The card that is being filled. */
  card: number | undefined;
  /** Which of the first rows is shown, from 0, and how many there are; none for the same values for everyone. */
  row: number;
  rows: number;
  onRow: (row: number) => void;
}

/** The phone of one of the recipients. */
export function BatchPreview({ preview, card, row, rows, onRow }: BatchPreviewProps) {
  const { t } = useTranslation("batches");
  return (
    <Panel label={t("preview.title")} className={sends.preview}>
      {rows > 0 && (
        <Group justify="center" wrap="nowrap" gap="0.5rem" c="dimmed" fz="sm">
          <ActionIcon aria-label={t("preview.before")} disabled={row === 0} onClick={() => onRow(row - 1)}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <span role="status">{t("preview.row", { row: row + 1, count: rows })}</span>
          <ActionIcon aria-label={t("preview.next")} disabled={row >= rows - 1} onClick={() => onRow(row + 1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
      )}
      {preview.error && (
        <div className={sends.refusal}>
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        </div>
      )}
      {preview.data && <Phone bubble={preview.data.bubble} current={card} />}
    </Panel>
  );
}
