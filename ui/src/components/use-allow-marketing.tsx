import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import type { MarketingStop, NoteMarketing } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { showFailure } from "./show-failure";
import styles from "./styles.module.css";
import { showUndo } from "./undo-toast";

interface Stopped extends Pick<NoteMarketing, "contact" | "number" | "waba"> {
  name: string;
  stop: MarketingStop;
}

/** Allows marketing to a person again: asked about once if they stopped it themselves, else with a way to take it back. */
export function useAllowMarketing(workspace: string) {
  const { t, i18n } = useTranslation("inbox");
  const note = useCommand("note_marketing");
  const allow = ({ name, stop, ...whom }: Stopped) => {
    const change = (isStopped: boolean, onSuccess?: () => void) =>
      note.mutate({ workspace, ...whom, isStopped }, { onError: showFailure, ...(onSuccess && { onSuccess }) });
    if (stop.source === "note") {
      change(false, () =>
        showUndo({ message: t("marketing.allowed", { name, nest: false }), undo: () => change(true) }),
      );
      return;
    }
    const since = new Date(stop.since).toLocaleDateString(i18n.language, { dateStyle: "medium" });
    modals.openConfirmModal({
      title: t("marketing.allowTitle", { name, nest: false }),
      children: (
        <p className={styles.muted}>
          {t(stop.source === "reply" ? "marketing.allowReply" : "marketing.allowFailure", { name, since, nest: false })}
        </p>
      ),
      labels: { confirm: t("marketing.allow"), cancel: t("cancel", { ns: "common" }) },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () => change(false),
    });
  };
  return { allow, isPending: note.isPending };
}
