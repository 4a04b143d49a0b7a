import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import type { MarketingNoted, MarketingStop, NoteMarketing } from "@/bindings/app";
import { useCommand } from "@/lib/ipc/mutations";
import { showFailure } from "./show-failure";
import styles from "./styles.module.css";
import { showUndo } from "./undo-toast";

interface Stopped extends Pick<NoteMarketing, "contact" | "number" | "waba"> {
  name: string;
  stop: MarketingStop;
}

// In a conversation, the field of the reply is in the usual corner.
const position = "top-center";

/** Allows marketing to a person again: asked about once if they stopped it themselves, else with a way to take it back. */
export function useAllowMarketing(workspace: string) {
  const { t, i18n } = useTranslation(["inbox", "settings"]);
  const note = useCommand("note_marketing");
  const reason = ({ source, accounts }: MarketingStop) => {
    const how = t(`optOuts.how.${source}`, { ns: "settings" });
    const where =
      accounts == null
        ? t("optOuts.everywhere", { ns: "settings" })
        : t("optOuts.only", { ns: "settings", accounts, nest: false });
    return `${how} (${where})`;
  };
  const allow = ({ name, stop, ...whom }: Stopped) => {
    const change = (isStopped: boolean, onSuccess?: (noted: MarketingNoted) => void) =>
      note.mutate({ workspace, ...whom, isStopped }, { onError: showFailure, ...(onSuccess && { onSuccess }) });
    // Another stop of the same person still counts.
    const stillStopped = (stops: readonly MarketingStop[]) =>
      // One of all accounts leaves nothing to be allowed.
      t(stops.some(({ accounts }) => accounts == null) ? "marketing.stillStopped" : "marketing.partlyAllowed", {
        name,
        reasons: stops.map(reason).join(" · "),
        nest: false,
      });
    if (stop.source === "note") {
      change(false, ({ stops }) => {
        const message = stops.length === 0 ? t("marketing.allowed", { name, nest: false }) : stillStopped(stops);
        showUndo({ message, position, undo: () => change(true) });
      });
      return;
    }
    const since = new Date(stop.since).toLocaleDateString(i18n.language, { dateStyle: "medium" });
    modals.openConfirmModal({
      title: t("marketing.allowTitle", { name, nest: false }),
      children: (
        <p className={styles.muted}>
          {t(stop.source === "reply" ? "marketing.allowReply" : "marketing.allowFailure", { name, since, nest: false })}
          {stop.accounts != null && ` ${t("optOuts.only", { ns: "settings", accounts: stop.accounts, nest: false })}.`}
        </p>
      ),
      labels: { confirm: t("marketing.allow"), cancel: t("cancel", { ns: "common" }) },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () =>
        change(false, ({ stops }) => {
          if (stops.length > 0) showUndo({ message: stillStopped(stops), position });
        }),
    });
  };
  return { allow, isPending: note.isPending };
}
