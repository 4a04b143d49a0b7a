import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { changing } from "@/lib/bulk-actions";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useReturnFocus } from "@/lib/return-focus";
import { isUnderWay } from "@/lib/run-state";
import { watchBulkAction } from "@/lib/watched-bulk-actions";
import { BulkActionPlan } from "./bulk-action-plan";
import { BulkActionProgress } from "./bulk-action-progress";
import { useOpenBulkAction } from "./use-bulk-actions";

interface BulkActionDialogProps {
  id: string;
  onStart: () => void;
}

/** A bulk action on many templates: what it would do, then how far it is. Closing it does not stop it. */
export function BulkActionDialog({ id, onStart }: BulkActionDialogProps) {
  const { t } = useTranslation("bulkActions");
  const workspace = useWorkspace();
  const open = useOpenBulkAction();
  useReturnFocus();
  const discard = useCommand("discard_bulk_action");
  const answer = useQuery(queries.bulkAction(workspace.id, id));
  const bulkAction = answer.data;

  const close = () => {
    // A plan that nobody follows is no bulk action.
    if (bulkAction?.state === "planned") discard.mutate({ workspace: workspace.id, id });
    if (bulkAction && isUnderWay(bulkAction)) watchBulkAction(id);
    open(undefined);
  };

  return (
    <Modal
      opened
      size="lg"
      onClose={close}
      closeOnClickOutside={bulkAction?.state !== "planned"}
      title={bulkAction ? t(`title.${bulkAction.action}`, { count: changing(bulkAction) }) : t("title.loading")}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
    >
      {answer.isPending && <Loading rows={3} />}
      {answer.isError && <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />}
      {bulkAction?.state === "planned" && (
        <BulkActionPlan key={id} bulkAction={bulkAction} onClose={close} onStart={onStart} />
      )}
      {bulkAction && bulkAction.state !== "planned" && (
        <BulkActionProgress key={id} bulkAction={bulkAction} onClose={close} />
      )}
    </Modal>
  );
}
