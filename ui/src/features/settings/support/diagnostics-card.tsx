import { Button } from "@mantine/core";
import { IconFileText, IconFolderOpen } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Card } from "@/components/card";
import { useDiagnostics } from "@/components/diagnostics";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "../settings.module.css";

/** What support needs to know about this installation. */
export function DiagnosticsCard() {
  const { t } = useTranslation("support");
  const diagnostics = useDiagnostics();
  const openFolder = useCommand("open_log_folder");
  return (
    <Card title={t("diagnostics.title")} text={t("diagnostics.text")}>
      {openFolder.error && <ErrorNotice error={openFolder.error} />}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconFileText size={15} aria-hidden />}
          loading={diagnostics.isOpening}
          onClick={diagnostics.open}
        >
          {t("diagnostics.open")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconFolderOpen size={15} aria-hidden />}
          loading={openFolder.isPending}
          onClick={() => openFolder.mutate({})}
        >
          {t("diagnostics.openFolder")}
        </Button>
      </div>
    </Card>
  );
}
