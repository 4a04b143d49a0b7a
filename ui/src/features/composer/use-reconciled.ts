import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { StoreApi } from "zustand";
import type { SubmissionReport } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import type { DeskFailure } from "@/lib/ipc/errors";
import { queries } from "@/lib/ipc/queries";
import { statusToast } from "@/lib/status-toast";
import { useComposer } from "./store";
import type { Saving } from "./use-autosave";

/**
 * Opens the template once a listing shows that a submission without an answer was carried out: its draft is gone then. What
 * was typed since is about to be stored, and brings the draft back.
 */
export function useReconciled(
  report: SubmissionReport | undefined,
  saving: StoreApi<Saving>,
  forget: () => void,
): void {
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  const id = useComposer((state) => state.draft.id);
  const workspace = useComposer((state) => state.draft.workspace);
  const name = useComposer((state) => state.draft.template.name);
  const language = useComposer((state) => state.draft.template.language);
  const drafts = useQuery(queries.drafts(workspace)).data;
  const listed = drafts?.find((draft) => draft.id === id);
  const isUnknown = listed?.isUnknown === true || report?.steps.some(({ outcome }) => outcome.state === "unknown");
  const isAwaited = useRef(false);
  const open = useEffectEvent(({ error }: DeskFailure) => {
    if (error.code !== "conflict" || error.fault?.kind !== "accepted") return;
    if (saving.getState().state !== "saved") return;
    forget();
    notifications.show({ id: statusToast(name, language), color: "teal", message: t("submitted", { name }) });
    void navigate({ to: "/templates/$reference", params: { reference: error.fault.template }, replace: true });
  });
  const isGone = drafts !== undefined && listed === undefined;
  useEffect(() => {
    isAwaited.current ||= isUnknown === true;
    if (isAwaited.current && isGone) call("get_draft", { draft: id }).catch(open);
  }, [isUnknown, isGone, id]);
}
