import { Alert, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { create } from "zustand";
import { changing, countOf } from "@/lib/bulk-actions";
import { useWorkspace } from "@/lib/desk";
import { templatesQueries } from "../queries";
import { useOpenBulkAction } from "./use-bulk-actions";

/** The bulk action whose notice was closed. It stays closed when the person leaves the templates and comes back. */
const useClosed = create<{ id?: string }>(() => ({}));

/** Says that the newest bulk action stopped before its end, such as by a crash, and leads to the rest. */
export function InterruptedAction() {
  const { t } = useTranslation("bulkActions");
  const started = useQuery(templatesQueries.bulkActions(useWorkspace().id)).data?.filter(
    ({ state }) => state !== "planned",
  );
  const closed = useClosed((state) => state.id);
  const open = useOpenBulkAction();
  const newest = started?.[0];
  if (newest?.state !== "interrupted" || newest.retryable === 0 || newest.id === closed) return null;
  const { id, action, retryable } = newest;
  return (
    <Alert
      color="orange"
      variant="light"
      radius={0}
      role="status"
      title={t(`interrupted.${action}`, { done: countOf(newest, "done"), total: changing(newest) })}
      withCloseButton
      closeButtonLabel={t("close", { ns: "common" })}
      onClose={() => useClosed.setState({ id })}
    >
      <Group gap="xs" justify="space-between">
        <span>{t("interrupted.text", { count: retryable })}</span>
        <Button size="compact-xs" variant="default" onClick={() => open(id)}>
          {t("interrupted.show")}
        </Button>
      </Group>
    </Alert>
  );
}
