import { Alert, Button, Group, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import { changing, countOf } from "@/lib/orders";
import { watchOrder } from "@/lib/watched-orders";
import { OrderItems } from "./order-items";
import classes from "./orders.module.css";

interface OrderPlanProps {
  order: Order;
  onClose: () => void;
  onStart: () => void;
}

/** What an order would do, before anything is done. A deletion has to be typed. */
export function OrderPlan({ order, onClose, onStart }: OrderPlanProps) {
  const { t } = useTranslation("orders");
  const start = useCommand("start_order");
  const [typed, setTyped] = useState("");
  const { workspace, id, names, nameCount, confirmation } = order;
  const action = order.action;
  const planned = changing(order);
  const skipped = countOf(order, "skipped");
  // The dialog has placed the focus before the plan is there.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus(), []);
  const isTyped = confirmation == null || typed === confirmation;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTyped) return;
    start.mutate(
      { workspace, id, confirmation: confirmation == null ? null : typed },
      {
        onSuccess: () => {
          watchOrder(id);
          onStart();
        },
      },
    );
  };

  return (
    <form ref={form} onSubmit={submit} className={classes.order}>
      {planned === 0 ? (
        <p>{t("plan.nothing")}</p>
      ) : (
        <>
          <p>{t(`plan.${action}`, { count: planned })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many names scroll, and must do so by keyboard */}
          <p className={classes.names} role="group" tabIndex={0} aria-label={t("plan.names")}>
            {names.join(", ")}
            {nameCount > names.length && ` ${t("plan.moreNames", { count: nameCount - names.length })}`}
          </p>
        </>
      )}
      {skipped > 0 && (
        <details className={classes.details}>
          <summary>{t("plan.skipped", { count: skipped })}</summary>
          <OrderItems order={order} state="skipped" label={t("plan.skipped", { count: skipped })} />
        </details>
      )}
      {action === "archive" && planned > 0 && (
        <Alert variant="light" color="blue" icon={<IconInfoCircle size={18} aria-hidden />} title={t("archive.title")}>
          <p>{t("archive.reversible")}</p>
          <p>{t("archive.upstream", { count: order.upstreamDeletionDays })}</p>
        </Alert>
      )}
      {action === "delete" && planned > 0 && (
        <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={t("delete.title")}>
          <ul className={classes.facts}>
            <li>{t("delete.gone", { count: planned })}</li>
            {order.approved > 0 && (
              <li>
                {t("delete.approved", { count: order.approved })} {t("delete.blocked", { count: order.blockedDays })}
              </li>
            )}
            {order.recentSends > 0 && <li>{t("delete.sends", { count: order.recentSends })}</li>}
            <li>{t("delete.instead")}</li>
          </ul>
        </Alert>
      )}
      {order.recentSends > 0 && action === "archive" && <p>{t("delete.sends", { count: order.recentSends })}</p>}
      {confirmation != null && planned > 0 && (
        <TextInput
          label={t("delete.type", { words: confirmation })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {start.isError && <ErrorNotice error={start.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t(planned === 0 ? "close" : "cancel", { ns: "common" })}
        </Button>
        {planned > 0 && (
          <Button
            type="submit"
            color={action === "delete" ? "red" : undefined}
            disabled={!isTyped}
            loading={start.isPending}
            data-autofocus={confirmation == null || undefined}
          >
            {t(`do.${action}`)}
          </Button>
        )}
      </Group>
    </form>
  );
}
