import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useDiagnostics } from "@/components/diagnostics";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";

/** What can be done after the app did not close normally. */
export function CrashActions() {
  const { t } = useTranslation("support");
  const { id } = useWorkspace();
  const diagnostics = useDiagnostics();
  const openFolder = useCommand("open_log_folder");
  const drafts = useQuery(queries.drafts(id));
  const newest = drafts.data?.[0];
  return (
    <>
      {newest && (
        <Button
          size="compact-xs"
          renderRoot={(props) => <Link to="/drafts/$draft" params={{ draft: newest.id }} {...props} />}
        >
          {t("crash.openDraft", { ns: "shell" })}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant={newest ? "default" : "filled"}
        loading={diagnostics.isOpening}
        onClick={diagnostics.open}
      >
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
