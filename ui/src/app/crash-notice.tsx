import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useDiagnostics } from "@/components/diagnostics";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";

/** What can be done after the app did not close normally. */
export function CrashActions() {
  const { t } = useTranslation("support");
  const diagnostics = useDiagnostics();
  const openFolder = useCommand("open_log_folder");
  return (
    <>
      <Button size="compact-xs" loading={diagnostics.isOpening} onClick={diagnostics.open}>
        {t("diagnostics.open")}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        loading={openFolder.isPending}
        onClick={() => openFolder.mutate({}, { onError: showFailure })}
      >
        {t("diagnostics.openFolder")}
      </Button>
    </>
  );
}
