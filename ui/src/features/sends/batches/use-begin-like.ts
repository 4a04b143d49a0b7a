import { modals } from "@mantine/modals";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { sendsQueries } from "../queries";
import { batchDraft, beginLike, isBegun } from "./draft";

/** Begins a batch that is filled like an earlier one. One that was begun before is replaced only after a confirmation. */
export function useBeginLike(): (batch: Batch) => Promise<void> {
  const { t } = useTranslation("batches");
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (batch) => {
    const { workspace, reference } = batch;
    const mapping = await client.fetchQuery(sendsQueries.batchMapping(batch.id)).catch((error) => {
      showFailure(error);
      return undefined;
    });
    if (mapping === undefined) return;
    const begin = () => {
      if (mapping) beginLike(batch, mapping);
      void navigate({ to: "/sends/batches/new", search: { reference } });
    };
    const before = batchDraft(workspace);
    if (!mapping || !isBegun(before)) return begin();
    modals.openConfirmModal({
      title: t("like.title"),
      children: t("like.text", { name: before.template?.name, nest: false }),
      labels: { cancel: t("cancel", { ns: "common" }), confirm: t("like.confirm") },
      onConfirm: begin,
    });
  };
}
