import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { showFailure } from "@/components/show-failure";

/** Shows all shortcuts, which can be changed there. */
export function useShowShortcuts(): () => void {
  const { t } = useTranslation("shell");
  return () =>
    void import("./shortcut-sheet").then(
      ({ ShortcutSheet }) =>
        modals.open({ modalId: "shortcuts", title: t("shortcuts.title"), size: "lg", children: <ShortcutSheet /> }),
      showFailure,
    );
}
