import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Draft } from "@/bindings/app";
import { call } from "@/lib/ipc/client";
import type { DeskFailure } from "@/lib/ipc/errors";

/**
 * Stores new drafts, closes the dialog and shows them; `onSaved` is called before. Drafts that were stored before an
 * error are only replaced.
 */
export function useSaveDrafts(onSaved: () => void) {
  const { t } = useTranslation("templates");
  const navigate = useNavigate();
  return useMutation<void, DeskFailure, Draft[]>({
    mutationFn: async (drafts) => {
      for (const draft of drafts) await call("save_draft", draft);
    },
    onSuccess: (_, drafts) => {
      onSaved();
      modals.closeAll();
      const [first, second] = drafts;
      if (first && !second) {
        void navigate({ to: "/drafts/$draft", params: { draft: first.id } });
        return;
      }
      notifications.show({ message: t("import.created", { count: drafts.length }) });
      void navigate({ to: "/templates", search: { view: "drafts" } });
    },
  });
}
