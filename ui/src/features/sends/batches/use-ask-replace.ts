import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { batchDraft, isBegun } from "./draft";

/** Begins another batch: one that was begun before is replaced only after a confirmation. */
export function useAskReplace(): (workspace: string, begin: () => void) => void {
  const { t } = useTranslation("batches");
  return (workspace, begin) => {
    const before = batchDraft(workspace);
    if (!isBegun(before)) return begin();
    modals.openConfirmModal({
      title: t("like.title"),
      children: t("like.text", { name: before.template?.name, nest: false }),
      labels: { cancel: t("cancel", { ns: "common" }), confirm: t("like.confirm") },
      onConfirm: begin,
    });
  };
}
