import { Progress, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { byteSize } from "@/lib/bytes";
import { useDeskEvent } from "@/lib/ipc/events";

/** Upload progress of the files of a request. */
export function UploadProgress({ draft, wabas }: { draft: string; wabas: string[] }) {
  const { t, i18n } = useTranslation("composer");
  const [progress, setProgress] = useState<{ file: string; sent: number; total: number }>();
  useDeskEvent((event) => {
    if (event.type !== "submissionProgress" || event.draft !== draft) return;
    if (event.waba !== wabas.join(",") && !wabas.includes(event.waba)) return;
    setProgress({ file: event.file, sent: event.sent, total: event.total });
  });
  if (!progress) return null;
  const { file, sent, total } = progress;
  const percent = total > 0 ? Math.round((sent / total) * 100) : 100;
  return (
    <Stack gap="0.25rem" fz="xs">
      <span>
        {t("sheet.uploadingFile", {
          file,
          sent: byteSize(sent, i18n.language),
          total: byteSize(total, i18n.language),
          nest: false,
        })}
      </span>
      <Progress value={percent} size="sm" aria-label={t("sheet.uploading", { percent })} />
    </Stack>
  );
}
