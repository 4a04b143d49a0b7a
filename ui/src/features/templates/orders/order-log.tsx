import { Modal } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Order } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { changing, countOf } from "@/lib/orders";
import classes from "./orders.module.css";
import { useOpenOrder } from "./use-orders";

/** What was archived, unarchived and deleted from here, newest first. */
export function OrderLog() {
  const { t } = useTranslation("orders");
  const open = useOpenOrder();
  const orders = useQuery(queries.orders(useWorkspace().id));
  const list = orders.data?.filter(({ state }) => state !== "planned");
  return (
    <Modal
      opened
      size="lg"
      title={t("log.title")}
      onClose={() => open(undefined)}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
    >
      {orders.isPending && <Loading rows={3} />}
      {orders.isError && <ErrorNotice error={orders.error} onRetry={() => void orders.refetch()} />}
      {list?.length === 0 && <Empty Icon={IconHistory} title={t("log.none")} text={t("log.noneText")} />}
      {list && list.length > 0 && (
        <ul className={classes.log}>
          {list.map((order) => (
            <li key={order.id}>
              <Entry order={order} onOpen={() => open(order.id)} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function Entry({ order, onOpen }: { order: Order; onOpen: () => void }) {
  const { t } = useTranslation("orders");
  const failed = countOf(order, "failed") + countOf(order, "unknown");
  return (
    <button type="button" className={classes.entry} onClick={onOpen}>
      <span className={classes.entryWords}>
        <b>{t(`title.${order.action}`, { count: changing(order) })}</b>
        <span className={styles.small}>
          {order.undoOf != null && `${t("log.undo")} · `}
          {order.names.slice(0, 3).join(", ")}
          {order.nameCount > 3 && ` ${t("plan.moreNames", { count: order.nameCount - 3 })}`}
        </span>
      </span>
      {failed > 0 && <span className={classes.failed}>{t("progress.failed", { count: failed })}</span>}
      <StatusBadge status={order.state} />
      <span className={styles.small}>
        <Instant at={order.startedAt ?? order.createdAt} format="moment" />
      </span>
    </button>
  );
}
