import { Button, Group } from "@mantine/core";
import { IconFile, IconUpload, IconX } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Attachment } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { fileFacts } from "@/lib/file-facts";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./composer.module.css";
import { composerQueries } from "./queries";
import { useComposer, useComposerStore } from "./store";

/** How many of the recent files are offered here. */
const OFFERED = 4;

/** A file that goes with payment or order data; of any type (contract §4.3 names none). */
export function PaymentFile({ kind, label }: { kind: "pixFile" | "orderFile"; label: string }) {
  const { t, i18n } = useTranslation("composer");
  const store = useComposerStore();
  const file = useComposer((state) => state.draft[kind]);
  const command = useCommand("pick_file");
  const recent = useQuery({ ...composerQueries.recentFiles(""), enabled: !file });
  const set = (chosen: Attachment | null) => store.getState().update((draft) => ({ ...draft, [kind]: chosen }));
  const pick = useMutation({
    mutationFn: () => command.mutateAsync({ format: "" }),
    // Closing the dialog without a choice changes nothing.
    onSuccess: (picked) => picked && set(picked),
  });
  return (
    <div role="group" aria-label={label}>
      <div className={classes.file}>
        <span className={classes.filePicture} aria-hidden>
          {file?.thumbnail ? <img src={file.thumbnail} alt="" /> : <IconFile size={22} stroke={1.5} />}
        </span>
        <div className={classes.fileWords}>
          <strong>{file ? file.name : label}</strong>
          <span>
            {file
              ? `${fileFacts(file, i18n.language)}${file.mime === "" ? "" : ` · ${file.mime}`}`
              : t("payment.noFile")}
          </span>
        </div>
        <Button
          variant="default"
          leftSection={<IconUpload size={15} aria-hidden />}
          loading={pick.isPending}
          onClick={() => pick.mutate()}
        >
          {t(file ? "otherFile" : "chooseFile")}
        </Button>
        {file && (
          <Button variant="subtle" color="gray" leftSection={<IconX size={15} aria-hidden />} onClick={() => set(null)}>
            {t("removeFile")}
          </Button>
        )}
      </div>
      {!file && (recent.data?.length ?? 0) > 0 && (
        <Group gap="0.25rem" mt="0.375rem" role="group" aria-label={t("payment.recent")}>
          <span className={styles.small}>{t("payment.recent")}</span>
          {recent.data?.slice(0, OFFERED).map((entry) => (
            <Button key={entry.path} size="compact-xs" variant="default" onClick={() => set(entry)}>
              {entry.name}
            </Button>
          ))}
        </Group>
      )}
      {pick.isError && <ErrorNotice error={pick.error} />}
    </div>
  );
}
