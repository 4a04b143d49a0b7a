import { useTranslation } from "react-i18next";
import type { RecipientQuery } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import { useCommand } from "@/lib/ipc/mutations";

/** Exports the people of a query, or some of them, to a file. */
export function useExport(query: RecipientQuery) {
  const { t } = useTranslation("batches");
  const save = useCommand("export_recipients");
  return {
    isPending: save.isPending,
    run: (ids?: string[]) =>
      save.mutate(
        { query, ids: ids ?? null },
        {
          onError: showFailure,
          onSuccess: (saved) => saved && showSavedFile(t("exportPeople.done", { count: saved.rows }), saved.path),
        },
      ),
  };
}
