import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { useDeskEvent } from "@/lib/ipc/events";

const COLORS: Record<string, string> = { APPROVED: "teal", REINSTATED: "teal", REJECTED: "red", DISABLED: "red" };

/** Says in the window that the review moved on; the desktop is told by the host. */
export function StatusToasts() {
  const { t } = useTranslation("shell");
  const text = useStatusText();
  const workspace = useWorkspace();
  useDeskEvent((event) => {
    if (event.type !== "templateStatusChanged" || event.workspace !== workspace.id) return;
    // One toast a template: a quick sequence of statuses shows where it ended.
    const id = `status ${event.name} ${event.language}`;
    notifications.hide(id);
    notifications.show({
      id,
      color: COLORS[event.event] ?? "yellow",
      title: t("status.changed", { name: event.name, language: event.language, event: text(event.event) }),
      message: event.reason ?? "",
    });
  });
  return null;
}
