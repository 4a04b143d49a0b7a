import { useTranslation } from "react-i18next";
import type { Draft } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { showFailure } from "./show-failure";
import { showUndo } from "./undo-toast";

/** Says that a draft was deleted, with a way to get it back. */
export function useDeletedDraft(): (draft: Draft) => void {
  const { t } = useTranslation("templates");
  const { mutateAsync: restore } = useCommand("restore_draft");
  return (draft) => {
    const { name } = draft.template;
    showUndo({
      message: t("draft.deleted", { name: name === "" ? t("draft.unnamed") : name }),
      // The callbacks of `mutate` are not called once the component is gone, which the toast outlives.
      undo: () => void restore(draft).catch(showFailure),
    });
  };
}
