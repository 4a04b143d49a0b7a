import { Button } from "@mantine/core";
import { IconFileExport } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ExportInsights } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import { useCommand } from "@/lib/ipc/mutations";

interface ExportButtonProps {
  request: ExportInsights;
  disabled?: boolean;
  /** Instead of the name of the export of a whole tab. */
  label?: string;
}

/** Writes what a tab counts into a file, and says where. */
export function ExportButton({ request, disabled = false, label }: ExportButtonProps) {
  const { t } = useTranslation("insights");
  const write = useCommand("export_insights");
  return (
    <Button
      h={36}
      variant="default"
      leftSection={<IconFileExport size={15} aria-hidden />}
      loading={write.isPending}
      disabled={disabled}
      onClick={() =>
        write.mutate(request, {
          // Nothing comes back where the dialog was closed without a choice.
          onSuccess: (file) => file && showSavedFile(t("export.done", { count: file.rows }), file.path),
          onError: showFailure,
        })
      }
    >
      {label ?? t("export.run")}
    </Button>
  );
}
