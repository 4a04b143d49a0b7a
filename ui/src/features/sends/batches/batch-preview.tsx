import { ActionIcon, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MediaCheck, BatchPreview as RowPreview, SendForm } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Panel } from "@/components/panel";
import { Phone } from "@/components/phone/phone";
import { usePictures } from "@/components/phone/use-pictures";
import { useNumberName } from "@/lib/number-names";
import { acceptedLinks } from "../accepted-links";
import { ownMedia } from "../parts";
import sends from "../sends.module.css";

interface BatchPreviewProps {
  preview: UseQueryResult<RowPreview>;
  /** What is wrong is said at its field. */
  isExplained: boolean;
  form: SendForm;
  /** Identifier of the sending number. */
  number: string;
  /** The card that is being filled. */
  card: number | undefined;
  /** What the links of the messages lead to, once the recipients were checked. */
  checks: readonly MediaCheck[] | undefined;
  /** Whose message it is: one of the first rows, or of the people. */
  label: string;
  /** Its place among them, from 0, and how many there are. */
  row: number;
  rows: number;
  onRow: (row: number) => void;
}

/** The phone of one of the recipients. */
export function BatchPreview({
  preview,
  isExplained,
  form,
  number,
  checks,
  card,
  label,
  row,
  rows,
  onRow,
}: BatchPreviewProps) {
  const { t } = useTranslation("batches");
  const sender = useNumberName()(number);
  const shown = preview.data;
  const pictures = usePictures(shown?.preview.bubble, {
    mayFetch: acceptedLinks(Object.values(shown?.values ?? {}), checks, Object.values(ownMedia(form.parts))),
  });
  return (
    <Panel label={t("preview.title")} className={sends.preview}>
      {rows > 0 && (
        <Group justify="center" wrap="nowrap" gap="0.5rem" fz="sm">
          <ActionIcon aria-label={t("preview.before")} disabled={row === 0} onClick={() => onRow(row - 1)}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <span role="status" className={sends.whose}>
            {t("preview.row", { label, row: row + 1, count: rows, nest: false })}
          </span>
          <ActionIcon aria-label={t("preview.next")} disabled={row >= rows - 1} onClick={() => onRow(row + 1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
      )}
      {preview.error && !isExplained && (
        <div className={sends.refusal}>
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        </div>
      )}
      {shown && (
        <div className={sends.phone}>
          <Phone bubble={shown.preview.bubble} sender={sender} current={card} {...pictures} />
        </div>
      )}
    </Panel>
  );
}
