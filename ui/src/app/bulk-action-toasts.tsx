import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { showUndo } from "@/components/undo-toast";
import { countOf } from "@/lib/bulk-actions";
import { useDeskEvent } from "@/lib/ipc/events";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { isUnderWay } from "@/lib/run-state";
import { takeWatched, watchBulkAction } from "@/lib/watched-bulk-actions";

/** Says how a bulk action on many templates ended that went on after its dialog was closed. */
export function BulkActionToasts() {
  const { t } = useTranslation("bulkActions");
  const client = useQueryClient();
  const navigate = useNavigate();
  const undo = useCommand("undo_bulk_action");
  // The filters of the list stay, where the list is what is shown.
  const search = useSearch({ from: "/templates", shouldThrow: false });

  const show = (bulkAction: BulkAction) => {
    const { id, workspace } = bulkAction;
    const failed = countOf(bulkAction, "failed");
    const unknown = countOf(bulkAction, "unknown");
    showUndo({
      color: failed + unknown > 0 ? "orange" : "teal",
      title: t(`ended.${bulkAction.action}`, { count: countOf(bulkAction, "done") }),
      message: [
        failed > 0 ? t("progress.failed", { count: failed }) : "",
        unknown > 0 ? t("progress.unknown", { count: unknown }) : "",
      ]
        .filter((words) => words !== "")
        .join(" · "),
      undo: bulkAction.undoable
        ? () => undo.mutate({ workspace, id }, { onSuccess: (next) => follow(next), onError: showFailure })
        : undefined,
      more: {
        label: t("details"),
        run: () => void navigate({ to: "/templates", search: { ...search, bulkAction: id } }),
      },
    });
  };
  const follow = (bulkAction: BulkAction) =>
    isUnderWay(bulkAction) ? watchBulkAction(bulkAction.id) : show(bulkAction);

  useDeskEvent((event) => {
    if (event.type !== "bulkActionProgress" || isUnderWay(event)) return;
    // Whoever looks at it sees how it ended.
    if (!takeWatched(event.id) || search?.bulkAction === event.id) return;
    const asked = queries.bulkAction(event.workspace, event.id);
    client.fetchQuery({ ...asked, staleTime: 0 }).then(show, showFailure);
  });
  return null;
}
