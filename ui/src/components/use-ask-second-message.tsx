import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";

interface Confirmed {
  /** What the button says that confirms. */
  confirm: string;
  onConfirm: () => void;
}

/** Asks before a message is sent that may have been sent already. */
export function useAskSecondMessage(): (confirmed: Confirmed) => void {
  const { t } = useTranslation("sends");
  return ({ confirm, onConfirm }) =>
    modals.openConfirmModal({
      title: t("again.unknownTitle"),
      children: <p>{t("unanswered.again")}</p>,
      labels: { cancel: t("cancel", { ns: "common" }), confirm },
      confirmProps: { color: "red" },
      onConfirm,
    });
}
