import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { changing } from "@/lib/orders";
import { isUnderWay } from "@/lib/run-state";
import { watchOrder } from "@/lib/watched-orders";
import { OrderPlan } from "./order-plan";
import { OrderProgress } from "./order-progress";
import { useOpenOrder } from "./use-orders";

interface OrderDialogProps {
  id: string;
  onStart: () => void;
}

/** An order on many templates: what it would do, then how far it is. Closing it does not stop it. */
export function OrderDialog({ id, onStart }: OrderDialogProps) {
  const { t } = useTranslation("orders");
  const workspace = useWorkspace();
  const open = useOpenOrder();
  const discard = useCommand("discard_order");
  const answer = useQuery(queries.order(workspace.id, id));
  const order = answer.data;

  const close = () => {
    // A plan that nobody follows is no order.
    if (order?.state === "planned") discard.mutate({ workspace: workspace.id, id });
    if (order && isUnderWay(order)) watchOrder(id);
    open(undefined);
  };

  return (
    <Modal
      opened
      size="lg"
      onClose={close}
      closeOnClickOutside={order?.state !== "planned"}
      title={order ? t(`title.${order.action}`, { count: changing(order) }) : t("title.loading")}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
    >
      {answer.isPending && <Loading rows={3} />}
      {answer.isError && <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />}
      {order?.state === "planned" && <OrderPlan key={id} order={order} onClose={close} onStart={onStart} />}
      {order && order.state !== "planned" && <OrderProgress key={id} order={order} onClose={close} />}
    </Modal>
  );
}
