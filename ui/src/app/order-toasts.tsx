import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Order } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { showUndo } from "@/components/undo-toast";
import { useDeskEvent } from "@/lib/ipc/events";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { countOf } from "@/lib/orders";
import { isUnderWay } from "@/lib/run-state";
import { takeWatched, watchOrder } from "@/lib/watched-orders";

/** Says how an order on many templates ended that went on after its dialog was closed. */
export function OrderToasts() {
  const { t } = useTranslation("orders");
  const client = useQueryClient();
  const navigate = useNavigate();
  const undo = useCommand("undo_order");
  // The filters of the list stay, where the list is what is shown.
  const search = useSearch({ from: "/templates", shouldThrow: false });

  const show = (order: Order) => {
    const { id, workspace } = order;
    const failed = countOf(order, "failed");
    const unknown = countOf(order, "unknown");
    showUndo({
      color: failed + unknown > 0 ? "orange" : "teal",
      title: t(`ended.${order.action}`, { count: countOf(order, "done") }),
      message: [
        failed > 0 ? t("progress.failed", { count: failed }) : "",
        unknown > 0 ? t("progress.unknown", { count: unknown }) : "",
      ]
        .filter((words) => words !== "")
        .join(" · "),
      undo: order.undoable
        ? () => undo.mutate({ workspace, id }, { onSuccess: (next) => follow(next), onError: showFailure })
        : undefined,
      more: {
        label: t("details"),
        run: () => void navigate({ to: "/templates", search: { ...search, order: id } }),
      },
    });
  };
  const follow = (order: Order) => (isUnderWay(order) ? watchOrder(order.id) : show(order));

  useDeskEvent((event) => {
    if (event.type !== "orderProgress" || isUnderWay(event)) return;
    // Whoever looks at it sees how it ended.
    if (!takeWatched(event.id) || search?.order === event.id) return;
    const asked = queries.order(event.workspace, event.id);
    client.fetchQuery({ ...asked, staleTime: 0 }).then(show, showFailure);
  });
  return null;
}
