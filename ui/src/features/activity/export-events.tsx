import { ActionIcon } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconFileExport } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { FilePath } from "@/components/file-path";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";
import type { Filter } from "./filter";

/** Writes the events that pass the filter to a file. */
export function ExportEvents({ filter }: { filter: Filter }) {
  const { t } = useTranslation("activity");
  const write = useCommand("export_events");
  const exportRows = () => {
    const id = notifications.show({
      message: t("export.running"),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    });
    write.mutate(
      { query: { ...filter, limit: 0 } },
      {
        onSettled: () => notifications.hide(id),
        onSuccess: (file) => {
          if (!file) return;
          notifications.show({
            title: t("export.done", { count: file.lines }),
            message: <FilePath path={file.path} />,
            autoClose: 10_000,
          });
        },
        onError: showFailure,
      },
    );
  };

  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={t("export.open")}
      title={t("export.open")}
      disabled={write.isPending}
      onClick={exportRows}
    >
      <IconFileExport size={17} />
    </ActionIcon>
  );
}
